import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { textOf, until } from '../../../../loadtests/src/lib/await.ts'
import { manifests } from '../../../../loadtests/src/chart/render.ts'
import { besideNames } from '../../../../loadtests/src/model/outside.ts'
import { freePorts } from '../../../../loadtests/src/lib/ports.ts'
import { led, mockFiles, unpackAndStart } from '../../../../loadtests/src/targets/kubernetes/outside.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** What a pod gets of the mock, started here: its files in one, and a script that unpacks them. */

const folder = temporaryFolder()

test('the mock fits a ConfigMap, and begins from it with the services that the lab knows', async () => {
  const packed = gzipSync(JSON.stringify(await mockFiles()))
  expect(packed.toString('base64').length).toBeLessThan(2 ** 20)
  writeFileSync(join(folder, 'mock.json.gz'), packed)
  writeFileSync(
    join(folder, 'start.mjs'),
    unpackAndStart.replaceAll('/files/', `${folder}/`).replaceAll('/tmp/lab', join(folder, 'lab')),
  )
  const [port, ...others] = await freePorts(1 + besideNames.length)
  const ports = Object.fromEntries(besideNames.map((name, index) => [name, others[index]!]))
  const order = { rules: [], hints: [], ports, record: null, authority: join(folder, 'authority.pem') }
  writeFileSync(join(folder, 'outside.json'), JSON.stringify(order))
  const child = spawn(process.execPath, [join(folder, 'start.mjs')], {
    env: { PORT: String(port), OUTSIDE: join(folder, 'outside.json') },
    stdio: 'inherit',
  })
  const ask = (path: string) => textOf(`http://127.0.0.1:${port}/${path}`, 1000)
  expect(await until(() => ask('authority.pem'), { timeout: 30_000, every: 100 })).toContain('BEGIN CERTIFICATE')
  expect(JSON.parse((await ask(''))!)).toMatchObject({ calls: [] })
  const mail = connect(ports.smtp!, '127.0.0.1')
  expect(String((await once(mail, 'data'))[0])).toMatch(/^220 /)
  mail.destroy()
  child.kill()
  await once(child, 'exit')
})

test('n8n is led to the mock whatever its values say of proxies and authorities', async () => {
  const extraEnv = { HTTP_PROXY: 'http://mock:8080' }
  const authority = { name: 'authority', key: 'authority.pem' }
  const values = {
    role: { extraEnv: { NODE_EXTRA_CA_CERTS: '/of/mine.pem', HTTP_PROXY: 'http://mine:1' } },
    main: { extraEnv: { NODE_EXTRA_CA_CERTS: '/of/main.pem', TZ: 'UTC' } },
  }
  const rendered = await manifests(led(values, extraEnv, authority))
  expect(rendered).toMatch(/name: HTTP_PROXY\n\s+value: "?http:\/\/mock:8080/)
  expect(rendered).toMatch(/configMap:\n(\s+.*\n)*?\s+name: authority\n/)
  expect(rendered).toMatch(/TZ\W+value: "?UTC/)
  expect(rendered).not.toMatch(/\/of\/|http:\/\/mine/)
})
