import { currentContext } from './kubernetes/kubectl.ts'
import { findRuntime, runtimeName } from './local/containers/runtime.ts'
import { chooseLimiter } from './local/limits/choose.ts'

/**
 * What a run needs of a place, for those who ask before there is one. Nothing is started or changed. What is missing is
 * the error that a run would end with.
 */

export { chooseEngine, engineNeeds, type ChosenEngine, type EngineName } from './local/choose-engine.ts'
export { rbac } from './kubernetes/rights.ts'
export { refuseFaultsHere } from './local/faults.ts'
export { findProgram } from './local/programs.ts'

/** How this machine enforces limits. */
export async function limitsHere(): Promise<{ kind: string; enforced: boolean }> {
  const { kind, enforced } = await chooseLimiter()
  return { kind, enforced }
}

/** The container runtime, if it answers within so many milliseconds. */
export const runtimeHere = async (patience: number): Promise<string> =>
  runtimeName(await findRuntime(process.env.PATH, patience))

/** The name of the context that kubectl has. */
export const contextHere = async (): Promise<string> => (await currentContext()).name
