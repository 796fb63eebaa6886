import { z } from 'zod'
import { exitCodes, type ExitCode } from '../lib/errors.ts'
import { Answer, Answered, ConfigurationAnswer } from '../model/answer.ts'

/** What a caller of the hook is told of its check. */

/** Flagger shows it whole in its events, so it is short. */
export const Told = z
  .strictObject({
    holds: z.boolean(),
    verdict: z.enum([...Answered.options, 'failed']),
    exitCode: z.int().nullable().describe('Of the check; null where it did not begin or was ended.'),
    run: z.string().optional(),
    why: Answer.shape.why.optional(),
    next: Answer.shape.next.optional(),
    results: z
      .array(
        ConfigurationAnswer.pick({
          workflow: true,
          variant: true,
          answered: true,
          why: true,
          capacity: true,
          safe: true,
        }),
      )
      .optional(),
    error: z.string().optional().describe('Of a check that printed no summary: its last words.'),
  })
  .describe('What became of the check of a request.')
export type Told = z.infer<typeof Told>

const Refused = z.strictObject({ error: z.string() }).describe('Why a request began no check.')

export const HookAnswer = z.union([Told, Refused])
export type HookAnswer = z.infer<typeof HookAnswer>

/** Only 200 lets a rollout go on. */
const answers: Record<ExitCode, { status: number; verdict: Told['verdict'] }> = {
  [exitCodes.met]: { status: 200, verdict: 'met' },
  [exitCodes.missed]: { status: 412, verdict: 'missed' },
  [exitCodes.invalid]: { status: 503, verdict: 'unsure' },
  [exitCodes.usage]: { status: 500, verdict: 'failed' },
  [exitCodes.failure]: { status: 500, verdict: 'failed' },
  [exitCodes.hungUp]: { status: 500, verdict: 'failed' },
  [exitCodes.interrupted]: { status: 500, verdict: 'failed' },
  [exitCodes.terminated]: { status: 500, verdict: 'failed' },
}

/** The part of a summary that is told on. */
const Said = z.object({ id: z.string(), answer: Answer })

/** By how the check ended, and what it printed: that its objective is met is told only with its summary. */
export function answerTo(code: number | null, out: string, err: string): { status: number; body: Told } {
  // Node itself ends with other codes, where it cannot begin.
  const known = answers[code as ExitCode] ?? answers[exitCodes.failure]
  const said = summaryIn(out)
  const { status, verdict } = !said && known.status === 200 ? answers[exitCodes.failure] : known
  const told = { holds: status === 200, verdict, exitCode: code }
  if (!said) return { status, body: { ...told, error: lastWords(err) || 'The check printed no summary.' } }
  const { answered, why, next, configurations } = said.answer
  const results = configurations.map(({ workflow, variant, answered: own, why: because, capacity, safe }) => ({
    ...{ workflow, variant, answered: own, why: because, capacity, safe },
  }))
  // A run that was cut short ended as a failure, whatever it had measured until then.
  const ran = verdict === 'failed' ? verdict : answered
  return { status, body: { ...told, verdict: ran, run: said.id, why, next, results } }
}

function summaryIn(out: string): z.infer<typeof Said> | null {
  try {
    return Said.parse(JSON.parse(out))
  } catch {
    return null
  }
}

const lastWords = (err: string): string => err.trim().split('\n').slice(-2).join(' ').slice(-2000)
