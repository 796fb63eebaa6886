import { readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { execa } from 'execa'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../support/paths.ts'
import type { LocalImage, User } from './image.ts'
import { findProgram } from './programs.ts'

/** The machine's own PostgreSQL, with the part of the official image's start that makes the database. */
export async function postgresql({ repository }: Image): Promise<LocalImage> {
  // A link on PATH stands for one program; its others are where it leads.
  const program = await realpath(await findProgram('initdb', `the image ${repository}`))
  return {
    kind: 'store',
    // As text: its own user may not read where this project is.
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
