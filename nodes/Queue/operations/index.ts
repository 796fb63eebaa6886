import * as counts from './counts'
import * as jobs from './jobs'
import * as oldest from './oldest'
import type { Operation } from './operation'
import { overviewOf } from './overview'
import * as stalled from './stalled'
import * as throughput from './throughput'
import * as workers from './workers'

/** In the order of the editor's list, which its lint wants sorted by name. */
const single: Operation[] = [counts, stalled, oldest, workers, throughput]
const overview = overviewOf(single)
const all: Operation[] = [counts, stalled, oldest, overview, jobs, workers, throughput]

export const operations = all.map(({ option }) => option)

/** A parameter of one operation also belongs to the overview. */
export const descriptions = single.flatMap(({ option, description }) =>
  description.map((property) => ({
    ...property,
    displayOptions: { show: { ...property.displayOptions?.show, operation: [option.value, overview.option.value] } },
  })),
)

export const executors = new Map(all.map(({ option, execute }) => [String(option.value), execute]))
