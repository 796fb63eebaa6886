import { join } from 'node:path'
import { temporaryFolder } from '../temporary.ts'
import { runPlanted, type Planted } from './run.ts'

/** What holds of a run with a secret in every place that takes one, wherever n8n runs. */
export function keepsNoSecret(...where: string[]): void {
  const folder = temporaryFolder()
  let planted: Planted
  beforeAll(async () => {
    planted = await runPlanted(join(folder, 'planted'), where)
  }, 600_000)

  test('none of forty secrets is kept, printed, or shown in the list of processes', () => {
    expect(planted.found).toEqual([])
    expect(planted.secrets).toBeGreaterThanOrEqual(40)
  })

  test('it was a whole run, whose workflow printed what it was sent', () => {
    expect(planted.accepted).toBeGreaterThan(0)
    expect(planted.printed).toBe(true)
  })
}
