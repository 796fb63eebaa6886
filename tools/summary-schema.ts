/**
 * Prints the JSON Schema of summary.json, for programs that read it.
 * usage: node tools/summary-schema.ts
 */
import { summaryJsonSchema } from '../loadtests/src/model/summary.ts'

process.stdout.write(`${JSON.stringify(summaryJsonSchema(), null, 2)}\n`)
