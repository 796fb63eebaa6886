import { z } from 'zod'
import { readReply, faultOf } from '../lib/reply.ts'
import { usage } from '../lib/errors.ts'
import { jsonIn } from '../lib/json.ts'
import { secondsOfMonth } from '../judge/fleet/model.ts'
import type { Price } from '../model/experiment.ts'

/** The prices of a cluster, from the API of its OpenCost. It is only read. */

const Allocation = z.object({
  cpuCoreHours: z.number(),
  cpuCost: z.number(),
  ramByteHours: z.number(),
  ramCost: z.number(),
})
/** A set for each step of the window, with a cluster's costs by its name. Without costs, a set is empty or null. */
const Answer = z.object({ data: z.array(z.record(z.string(), Allocation).nullable()) })

const hoursOfMonth = secondsOfMonth / 3600
const patience = 10_000

/** What a core and a GiB cost a month, by what the last seven days cost all who had some. */
export async function pricesOf(url: URL): Promise<Price> {
  const address = new URL(`${url.pathname.replace(/\/+$/, '')}/allocation?window=7d&aggregate=cluster`, url)
  const no = (got: string) =>
    usage(
      'no-prices',
      `Expected ${address.href} to answer with the costs of a cluster, got ${got}.`,
      'Give the URL of OpenCost’s API, which `kubectl --namespace opencost port-forward service/opencost 9003` brings '
        + 'to http://localhost:9003. Or give the prices: --price cpu=23,memory=3',
    )
  const { status, text } = await readReply(address, { within: patience }).catch((error: Error) => {
    throw no(faultOf(error, patience))
  })
  if (status !== 200) throw no(`${status}`)
  const answer = Answer.safeParse(jsonIn(text))
  if (!answer.success) throw no('something else')
  const all = answer.data.data.flatMap((set) => Object.values(set ?? {}))
  const total = (what: keyof z.infer<typeof Allocation>) => all.reduce((sum, one) => sum + one[what], 0)
  const hours = { cpu: total('cpuCoreHours'), memory: total('ramByteHours') / 2 ** 30 }
  if (!(hours.cpu > 0 && hours.memory > 0)) throw no('nothing that used CPU and memory')
  return {
    cpu: (hoursOfMonth * total('cpuCost')) / hours.cpu,
    memory: (hoursOfMonth * total('ramCost')) / hours.memory,
  }
}
