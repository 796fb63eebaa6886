import { isDeath } from '../model/event.ts'
import { reasonMeaning, type Reason } from '../model/step.ts'

export const spoils = ({ code }: Pick<Reason, 'code'>): boolean => reasonMeaning(code).means === 'spoiled'

/** Whether a process died under load: reported even where some rate held. */
export const died = (reasons: Pick<Reason, 'code'>[]): boolean =>
  reasons.some(({ code }) => code === 'never-ready' || isDeath(code))
