import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { makeFolder } from '../../lib/make-folder.ts'
import type { Plan } from '../../chart/plan.ts'
import { invalid } from '../../lib/errors.ts'
import { fileName } from '../../lib/names.ts'
import { asValuesFile, atPath, mergeValues } from '../../lib/values.ts'
import { paths, tool } from '../../lib/paths.ts'
import { endAtExit } from '../../lib/processes.ts'
import type { SeedExport, SeedWorkflow } from '../target.ts'
import type { OwnNamespace } from './namespaces.ts'
import { mark, selecting } from './objects.ts'
import type { Values } from '../../model/experiment.ts'

const patience = '5m'

export interface Installation {
  /** A folder that is removed with the lab. */
  scratch: string
  context: string
  own: OwnNamespace
  values: Values
  workflows: SeedWorkflow[]
  /** What they log in with, which the chart puts into a Secret. */
  credentials?: object[]
  signal: AbortSignal
}

/** Installs the chart with the workflows: it imports and publishes them before n8n first starts. */
export const install = (installation: Installation): Promise<void> => helm('install', installation)

/** Gives an installed chart other values. */
export const upgrade = (installation: Installation): Promise<void> => helm('upgrade', installation)

async function helm(
  verb: 'install' | 'upgrade',
  { scratch, context, own, values, workflows, credentials, signal }: Installation,
): Promise<void> {
  const folder = await mkdtemp(join(scratch, 'chart-'))
  try {
    const chart = join(folder, 'chart')
    const file = join(folder, 'values.yaml')
    await cp(paths.chart, chart, { recursive: true })
    makeFolder(join(chart, workflowFolder, mine))
    for (const one of workflows.flatMap(({ imports }) => imports))
      await writeFile(join(chart, workflowFolder, `${nameOf(one)}.json`), JSON.stringify(one))
    if (credentials?.length)
      await writeFile(join(chart, 'files/loadtest/credentials.json'), JSON.stringify(credentials), { mode: 0o600 })
    await writeFile(file, asValuesFile(mergeValues(values, whereMeasured(workflows), asNamed(own))), { mode: 0o600 })
    const words = [
      verb,
      own.name,
      chart,
      '--kube-context',
      context,
      '--namespace',
      own.namespace,
      '--values',
      file,
      '--labels',
      selecting(mark),
      '--timeout',
      patience,
    ]
    const installing = execa(tool('helm'), words, { reject: false, all: true, detached: true, cancelSignal: signal })
    endAtExit(installing.pid)
    const installed = await installing
    signal.throwIfAborted()
    if (installed.failed)
      throw invalid(
        'install-failed',
        'Expected Helm to install the chart, but it failed.',
        'Its last lines say why.',
        (installed.all ?? '').split('\n').filter(Boolean).slice(-15),
      )
  } finally {
    await rm(folder, { recursive: true })
  }
}

const workflowFolder = 'files/loadtest/workflows'
const mine = 'lab'
const nameOf = ({ id }: SeedExport) => `${mine}/${fileName(id)}`

/** The chart imports the workflows. Values that would reach beyond the namespace were set aside before. */
export function whereMeasured(workflows: Pick<SeedWorkflow, 'imports'>[]): Values {
  const names = new Set(workflows.flatMap(({ imports }) => imports.map(nameOf)))
  return {
    loadtest: { enabled: true, workflows: [...names] },
    // An account of its own would need a right that the lab does not ask for.
    serviceAccount: { create: false, name: '' },
  }
}

/** The chart names each object after the release and its component, so that releases share a namespace. */
const objectName = (own: OwnNamespace, component: string) => `${own.name}-${component}`

/** Values with which objects have the names of `named`, also where the user's own values say otherwise. */
export const asNamed = (own: OwnNamespace): Values => ({ fullnameOverride: own.name })

/** Pure: the plan with the names that its objects have in this namespace. */
export const named = (plan: Plan, own: OwnNamespace): Plan => ({
  ...plan,
  workloads: plan.workloads.map(({ name, ...workload }) => ({
    ...workload,
    name: `${name.split('/')[0]}/${objectName(own, workload.component)}`,
  })),
  services: plan.services.map((service) => ({ ...service, name: objectName(own, service.component) })),
})

/** Those that the chart's hook would generate. It needs rights to make Roles, which the lab does without. */
const places = ['encryptionKey', 'database.password', 'redis.password', 'runner.token']

/** Pure but for chance: values for the secrets that the given ones leave to the chart. */
export const madeSecrets = (values: Values, make = () => randomBytes(24).toString('hex')): Values =>
  mergeValues(
    ...places
      .filter((place) => {
        const { value, existingSecret, none } = secretAt(values, place)
        return !value && !existingSecret?.name && !none
      })
      .map((place) => atPath(`${place}.value`, make())),
  )

interface Secret {
  value?: string
  existingSecret?: { name?: string }
  none?: boolean
}

const secretAt = (values: Values, place: string): Secret =>
  (place.split('.').reduce<unknown>((inner, key) => (inner as Values | undefined)?.[key], values) ?? {}) as Secret
