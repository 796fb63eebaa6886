import { execFileSync } from 'node:child_process'
import { LabError } from '../../loadtests/src/lib/errors.ts'
import { currentContext } from '../../loadtests/src/targets/kubernetes/kubectl.ts'
import { refuseMissingRights } from '../../loadtests/src/targets/kubernetes/refuse-missing-rights.ts'
import { rightName, rightsIn } from '../../loadtests/src/targets/kubernetes/rights.ts'

/**
 * Takes away each right of the account n8n-tuned-lab in turn, and checks that a run is then refused with its name.
 * usage: each-right.ts CONFIG [NAMESPACE]   CONFIG is the account's kubeconfig; KUBECONFIG is an administrator's
 */
const [, , config, namespace = null] = process.argv
const administrator = process.env.KUBECONFIG
const kubectl = (args: string[], input?: string) =>
  execFileSync('kubectl', args, { input, encoding: 'utf8', env: { ...process.env, KUBECONFIG: administrator } })

const kind = namespace === null ? ['clusterrole'] : ['--namespace', namespace, 'role']
const role = JSON.parse(kubectl(['get', ...kind, 'n8n-tuned-lab', '--output', 'json']))
delete role.metadata.resourceVersion
const replace = (rules: object[]) => kubectl(['replace', '--filename=-'], JSON.stringify({ ...role, rules }))

process.env.KUBECONFIG = config
const context = await currentContext()
const ended = () => refuseMissingRights(context, namespace).catch((error: unknown) => error)

let count = 0
for (const right of rightsIn(namespace)) {
  for (const verb of right.verbs) {
    const rules = (role.rules as { resources: string[]; apiGroups: string[]; verbs: string[] }[]).map((rule) =>
      rule.resources[0] === right.resource && rule.apiGroups[0] === right.group
        ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) }
        : rule,
    )
    replace(rules.filter(({ verbs }) => verbs.length > 0))
    const error = await ended()
    const named = error instanceof LabError && error.message.includes(`missing: ${verb} ${rightName(right)}.`)
    if (!named || error.exit !== 2)
      throw new Error(`Expected a refusal without ${verb} ${rightName(right)}, got ${error}`)
    count++
  }
}
replace(role.rules)
process.stdout.write(`${count}\n`)
