import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Kept } from './page.ts'

/** The runs behind the tables: `NAME.json.gz`, or `NAME.json` to look into one. */

const file = (folder: string, name: string): string => join(folder, `${name}.json`)

export async function readRun(folder: string, name: string): Promise<Kept | null> {
  const plain = file(folder, name)
  if (existsSync(plain)) return JSON.parse(await readFile(plain, 'utf8'))
  if (!existsSync(`${plain}.gz`)) return null
  return JSON.parse((await promisify(gunzip)(await readFile(`${plain}.gz`))).toString())
}

export async function keepRun(folder: string, name: string, json: string): Promise<void> {
  await writeFile(`${file(folder, name)}.gz`, await promisify(gzip)(`${json}\n`, { level: 9 }))
}
