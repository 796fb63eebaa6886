import { join } from 'node:path'
import { Option, type Command } from 'commander'
import { z } from 'zod'
import { paths } from '../lib/paths.ts'
import { rbac } from '../targets/means.ts'
import { loadableWorkflows } from '../workload/open.ts'
import { jsonOption, printJson } from './json.ts'
import { parseNamespace } from './options.ts'
import { bundledProfiles } from './prepare.ts'
import { loadProfile } from '../model/profile.ts'
import { usage } from '../lib/errors.ts'

const shapes = {
  closed: 'a fixed number of clients, each waiting for its answer',
  constant: 'requests on a schedule, whether or not earlier ones were answered',
  ramp: 'a rate that grows from one to another',
  spike: 'a rate, a peak in its middle, and the rate again',
  soak: 'a rate for a long time',
  mixed: 'requests on a schedule, to several workflows by their weights',
  herd: 'after an outage: many callers at once, while others come on a schedule',
  search: 'constant steps at rates that close in on the highest one that holds',
}

const sentences = z.record(z.string(), z.string())

export const ListAnswer = z
  .strictObject({ profiles: sentences, workflows: z.array(z.string()), shapes: sentences })
  .describe('What --profile, --workflow and a profile’s load.shape may name; of profiles and shapes what they are.')
type ListAnswer = z.infer<typeof ListAnswer>

export function addList(program: Command): void {
  program
    .command('list')
    .summary('profiles, workflows and load shapes; the rights that a cluster has to grant')
    .description('Lists what --profile, --workflow and a profile’s load.shape may name.')
    .option(...jsonOption)
    .addOption(
      new Option(
        '--rbac',
        'print YAML for kubectl instead: the rights that --target kubernetes needs, best with --namespace',
      ).conflicts('json'),
    )
    .option('--namespace <name>', 'with --rbac: the rights for a run with this --namespace', parseNamespace)
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned list\n  ./n8n-tuned list --rbac --namespace n8n-lab | kubectl apply -f -',
    )
    .action(async ({ json, rbac: asked, namespace }: { json?: true; rbac?: true; namespace?: string }) => {
      if (namespace !== undefined && !asked)
        throw usage(
          'only-with-rbac',
          'Expected list --namespace together with --rbac, got it alone.',
          'Add --rbac to print the rights that a run in this namespace needs.',
        )
      if (asked) return void process.stdout.write(rbac(namespace ?? null))
      const names = await bundledProfiles()
      const questions = await Promise.all(
        names.map(async (name) => (await loadProfile(join(paths.profiles, `${name}.yaml`))).experiment.question),
      )
      const profiles = Object.fromEntries(names.map((name, index) => [name, questions[index]!]))
      const workflows = await loadableWorkflows()
      if (json) printJson({ profiles, workflows, shapes } satisfies ListAnswer)
      else
        process.stdout.write(
          `Profiles\n${columns(profiles)}\nWorkflows\n${workflows.map((name) => `  ${name}\n`).join('')}\nLoad `
            + `shapes\n${columns(shapes)}`,
        )
    })
}

function columns(rows: Record<string, string>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length))
  return Object.entries(rows)
    .map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`)
    .join('')
}
