/**
 * Makes loadtests/src/judge/estimate/capacities.ts, once, in some minutes. For each queue of the table it has the share
 * of the full throughput at which just the allowed share of requests is late.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '../loadtests/src/judge/estimate/queue.ts'
import { fillWithWork, random } from '../loadtests/src/judge/estimate/random.ts'
import {
	allowances,
	disciplines,
	eaches,
	encodeShares,
	fullRate,
	queueKinds,
	lefts,
	parts,
	pauses,
	serverCounts,
	unevens,
	type QueueKind,
} from '../loadtests/src/judge/estimate/table.ts'

/** Requests of a simulation; with pauses as many as come in this many seconds, within bounds. */
const many = { still: 100_000, seconds: 600, least: 12_000, most: 60_000 }

const next = random(2)
let now = 0
const moments = Float64Array.from({ length: many.still }, () => (now -= Math.log(1 - next())))
const works = unevens.map((uneven) => {
	const work = new Float64Array(many.still)
	fillWithWork(work, uneven, next)
	return work
})
const due = new Float64Array(many.still)

const least = 0.003
const loads = [
	...[least, 0.01, 0.02, 0.035, 0.055],
	...Array.from({ length: 24 }, (_, nth) => 0.08 + nth * 0.035),
	...[0.905, 0.925, 0.94, 0.955, 0.97, 0.98, 0.99],
]

/** For each share that may be late and each part or rest of the objective: the highest load. */
function highestLoads(kind: QueueKind, each: number, objectives: number[]): number[][] {
	const queue = {
		discipline: disciplines[kind.discipline]!,
		servers: serverCounts[kind.servers]!,
		pauses: pauses[kind.pauses]!,
		phase: 0.37,
	}
	const full = fullRate(kind, each)
	const late = loads.map((load) => {
		const wanted = kind.pauses === 0 ? many.still : many.seconds * full * load
		const n = Math.round(Math.max(many.least, Math.min(kind.pauses === 0 ? many.still : many.most, wanted)))
		const arrivals = due.subarray(0, n)
		for (let nth = 0; nth < n; nth++) arrivals[nth] = moments[nth]! / (load * full)
		const took = new Float64Array(n)
		serve(queue, arrivals, works[kind.uneven]!.subarray(0, n), each, took)
		const counted = took.subarray(Math.floor(n / 50)).sort()
		return objectives.map((objective) => shareAbove(counted, objective))
	})
	return allowances.map((allowed) =>
		objectives.map((_, nth) =>
			crossing(
				late.map((shares) => shares[nth]!),
				allowed,
			),
		),
	)
}

function shareAbove(sorted: Float64Array, objective: number): number {
	let [low, high] = [0, sorted.length]
	while (low < high) {
		const middle = (low + high) >> 1
		if (sorted[middle]! > objective) high = middle
		else low = middle + 1
	}
	return (sorted.length - low) / sorted.length
}

function crossing(late: number[], allowed: number): number {
	const first = late.findIndex((share) => share > allowed)
	if (first <= 0) return first === 0 ? least : loads.at(-1)!
	const log = (share: number) => Math.log(share + 2e-5)
	const share = (log(allowed) - log(late[first - 1]!)) / (log(late[first]!) - log(late[first - 1]!))
	return loads[first - 1]! + share * (loads[first]! - loads[first - 1]!)
}

const shares: number[] = []
for (const kind of queueKinds()) {
	if (kind.pauses === 0) {
		shares.push(
			...highestLoads(
				kind,
				1,
				parts.map((part) => 1 / part),
			).flat(),
		)
	} else {
		const rows = eaches.map((each) => highestLoads(kind, each, lefts))
		for (let allowed = 0; allowed < allowances.length; allowed++)
			for (let left = 0; left < lefts.length; left++) for (const row of rows) shares.push(row[allowed]![left]!)
	}
}

writeFileSync(
	join(import.meta.dirname, '../loadtests/src/judge/estimate/capacities.ts'),
	`/** Made by tools/capacity-table.ts. */
export const least = ${least}
export const logShares =
  // prettier-ignore
  '${encodeShares(shares, least)}'
`,
)
