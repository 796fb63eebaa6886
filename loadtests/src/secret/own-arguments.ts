/** Imported first, before anything else is read: every user of the machine can see the arguments of a process. */
import { withoutSecretArguments } from './arguments.ts'
import { guard, remember } from './known.ts'

const given = process.argv.slice(2)
const kept = withoutSecretArguments(given)
if (kept.some((argument, index) => argument !== given[index])) process.title = ['n8n-tuned', ...kept].join(' ')

const variables = ['N8N_TUNED_METRICS_TOKEN', 'N8N_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
for (const name of variables) if (process.env[name]) remember(process.env[name])

guard(process.stdout)
guard(process.stderr)
