/**
 * A lab's process with a plan in containers: says that it is up, and waits to be killed. Run it: node owner.ts FOLDER
 */
import { processGenerator } from '../../../loadtests/src/load/process.ts'
import { findRuntime } from '../../../loadtests/src/targets/local/containers/runtime.ts'
import { localTarget } from '../../../loadtests/src/targets/local/local.ts'
import { tinyOrder, tinyPlan } from './plan.ts'

const target = await localTarget(processGenerator, { runtime: await findRuntime() })
await target.up(tinyPlan(), tinyOrder(process.argv[2]!))
process.stdout.write('up')
setInterval(() => {}, 1000)
