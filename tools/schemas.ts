/**
 * Writes the JSON Schema of everything that the command says to programs.
 * usage: node tools/schemas.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchemas } from '../loadtests/src/cli/schemas.ts'
import { root } from '../loadtests/src/lib/paths.ts'

for (const [name, schema] of Object.entries(jsonSchemas()))
	writeFileSync(join(root, `loadtests/schema/${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`)
