import * as binary from './binary'
import * as cpu from './cpu'
import * as fail from './fail'
import * as memory from './memory'
import { mixOf } from './mix'
import { descriptionsOf, type Operation } from './operation'
import * as payload from './payload'
import * as wait from './wait'

/** In the order of the editor's list, which its lint wants sorted by name. */
const single: Operation[] = [cpu, fail, memory, binary, payload, wait]
const all: Operation[] = [cpu, fail, memory, binary, payload, mixOf(single), wait]

export const operations = all.map(({ option }) => option)

export const descriptions = descriptionsOf(all)

export const executors = new Map(all.map(({ option, execute }) => [String(option.value), execute]))
