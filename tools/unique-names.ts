/**
 * Holds that what grep finds is one thing: no name is exported by two files. A schema and its type are one name.
 * usage: node tools/unique-names.ts FOLDER
 */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const exported = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

const folder = process.argv[2]!
const homes = new Map<string, Set<string>>()
for await (const file of glob('**/*.ts', { cwd: folder })) {
	for (const [, name = ''] of (await readFile(join(folder, file), 'utf8')).matchAll(exported)) {
		homes.set(name, (homes.get(name) ?? new Set()).add(join(folder, file)))
	}
}
for (const [name, files] of homes) {
	if (files.size < 2) continue
	console.error(`${[...files].sort().join(' and ')} both export ${name}: give one a name of its own, or no export`)
	process.exitCode = 1
}
