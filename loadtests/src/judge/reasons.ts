import { isDeath } from '../model/event.ts'
import { reasonMeaning, type Reason } from '../model/step.ts'

export const spoils = ({ code }: Pick<Reason, 'code'>): boolean => reasonMeaning(code).means === 'spoiled'

/** A step says nothing about n8n if it has only reasons that spoil it, or if others had the machine. */
export function isValid({ holds, reasons }: { holds: boolean; reasons: Pick<Reason, 'code'>[] }): boolean {
  return holds || reasons.length === 0 || !(reasons.every(spoils) || reasons[0]!.code === 'machine-busy')
}

/** Whether a process died under load: reported even where some rate held. */
export const died = (reasons: Pick<Reason, 'code'>[]): boolean =>
  reasons.some(({ code }) => code === 'never-ready' || isDeath(code))
