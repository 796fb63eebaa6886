import type { Area } from './case.ts'
import { dataTables, publicApi } from './cases/api.ts'
import { code } from './cases/code.ts'
import { editor } from './cases/editor.ts'
import { failures } from './cases/errors.ts'
import { expressions } from './cases/expressions.ts'
import { hardship } from './cases/hardship.ts'
import { nodes } from './cases/nodes.ts'
import { subworkflows } from './cases/subworkflows.ts'
import { triggers } from './cases/triggers.ts'
import { waiting } from './cases/waiting.ts'
import { webhookAnswers } from './cases/webhook-answers.ts'
import { webhookAuthentication } from './cases/webhook-authentication.ts'
import { webhookRequests } from './cases/webhook-requests.ts'

/** The suite, in the order of its traffic. What can be seen is compared after each part: the second deletes much. */
export const parts: [Area[], Area[]] = [
  [
    webhookAnswers,
    webhookRequests,
    webhookAuthentication,
    code,
    expressions,
    nodes,
    failures,
    subworkflows,
    waiting,
    triggers,
    dataTables,
    publicApi,
    editor,
  ],
  [hardship],
]
export const areas = parts.flat()
