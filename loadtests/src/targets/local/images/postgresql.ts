import { readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { execa } from 'execa'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../lib/paths.ts'
import type { LocalImage, User } from './image.ts'
import { findProgram } from './programs.ts'

/** The machine's own PostgreSQL, with the steps from the official image's start that create the database. */
export async function postgresql({ repository }: Image): Promise<LocalImage> {
  // The link on PATH may be for one program only; its folder has the others.
  const program = await realpath(await findProgram('initdb', `the image ${repository}`))
  return {
    kind: 'postgresql',
    // As text, because the user of PostgreSQL may not read this project's folder.
    entrypoint: ['/bin/sh', '-c', await readFile(paths.postgresqlEntrypoint, 'utf8'), 'postgresql'],
    env: { PATH: [dirname(program), '/usr/bin', '/bin'].join(delimiter), LANG: 'C.UTF-8' },
    listens: { PGPORT: 5432 },
    user: process.getuid?.() === 0 ? await somebodyElse() : null,
  }
}

/** PostgreSQL refuses to run as root. */
async function somebodyElse(): Promise<User> {
  const { stdout, failed } = await execa('id', ['postgres'], { reject: false })
  const [, uid, gid] = /uid=(\d+).* gid=(\d+)/.exec(failed ? '' : stdout) ?? []
  return uid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65534, gid: 65534 }
}
