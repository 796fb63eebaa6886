import type { Area } from './case.ts'
import { dataTables, publicApi } from './cases/api.ts'
import { code } from './cases/code.ts'
import { editor } from './cases/editor.ts'
import { failures } from './cases/errors.ts'
import { expressions } from './cases/expressions.ts'
import { nodes } from './cases/nodes.ts'
import { subworkflows } from './cases/subworkflows.ts'
import { triggers } from './cases/triggers.ts'
import { waiting } from './cases/waiting.ts'
import { webhooks } from './cases/webhooks.ts'

/** The suite, in the order of its traffic. */
export const areas: Area[] = [webhooks, code, expressions, nodes, failures, subworkflows, waiting, triggers, dataTables, publicApi, editor]
