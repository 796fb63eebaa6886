import { convertFiles, type ConvertAsked } from '../../../loadtests/src/convert/files.ts'
import { commandsIn } from '../../../loadtests/src/convert/docker/words.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
const moved = async (from: ConvertAsked['from'], text: string, more: Partial<ConvertAsked> = {}) => {
  const file = await write(folder, `given-${from}`, text)
  const { converted, notes } = await convertFiles([file], { from, tag: '2.41.1', drop: [], profiles: [], ...more })
  return { values: converted.values, inside: converted.inside, notes }
}

/** Every variable that the source sets is in the values, or what became of it is in the notes. */
const kept = (names: string[], { values, notes }: Awaited<ReturnType<typeof moved>>) =>
  expect(names.filter((name) => !(JSON.stringify(values) + notes).includes(name))).toEqual([])

describe('the words of commands', () => {
  const words = (text: string) => commandsIn(text, (name) => `<${name}>`)
  test.each([
    ['quotes', `a "b c" 'd $e' f\\ g`, [['a', 'b c', 'd $e', 'f g']]],
    ['lines that go on', 'a \\\n b \\\r\n c `\n d', [['a', 'b', 'c', 'd']]],
    ['comments', 'a b # c\n# d\ne', [['a', 'b'], ['e']]],
    ['variables', 'a=$B "${C}x"', [['a=<B>', '<C>x']]],
    ['several commands', 'a && b; c | d', [['a'], ['b'], ['c'], ['d']]],
    ['a # within a word', 'a#b', [['a#b']]],
  ])('%s', (_, text, expected) => expect(words(text)).toEqual(expected))
})

describe('docker run', () => {
  const text = `#!/bin/sh
docker volume create n8n_data
docker run -d --restart unless-stopped --name n8n -p 5678:5678 \\
  -e GENERIC_TIMEZONE="Europe/Berlin" -e N8N_ENCRYPTION_KEY=$KEY --env N8N_HOST=n8n.a.net \\
  -e "MY_TEXT=a b c" -m 2g --cpus=1.5 -v n8n_data:/home/node/.n8n --mount type=bind,src=/srv/files,dst=/files \\
  docker.n8n.io/n8nio/n8n:2.41.1
sudo docker run -dit --name worker -e GENERIC_TIMEZONE="Europe/Berlin" docker.n8n.io/n8nio/n8n:2.41.1 \\
  worker --concurrency=5
`
  test('becomes values: image, variables, limits, n8n’s folder and workers', async () => {
    const { values, inside, notes } = await moved('docker', text)
    expect(values).toMatchObject({
      image: { repository: 'docker.n8n.io/n8nio/n8n', tag: '2.41.1' },
      timezone: 'Europe/Berlin',
      main: { resources: { limits: { cpu: '1.5', memory: '2Gi' } } },
      worker: { replicas: 1, concurrency: 5 },
      persistence: { existingClaim: 'n8n-data' },
      encryptionKey: { existingSecret: { name: 'n8n-moved' } },
    })
    expect(inside).toBe('docker exec n8n')
    kept(['GENERIC_TIMEZONE', 'N8N_ENCRYPTION_KEY', 'n8n.a.net', 'MY_TEXT', 'n8n-srv-files'], {
      ...{ values, inside, notes },
    })
  })

  test('a variable of the shell is asked for, unless it is a secret', async () => {
    await expect(moved('docker', 'docker run -e N8N_HOST=$HOST_NAME n8nio/n8n')).rejects.toThrow(
      'Expected a value for HOST_NAME',
    )
    const env = await write(folder, 'shell.env', 'HOST_NAME=n8n.a.net\n')
    const { values } = await moved('docker', 'docker run -e N8N_HOST=$HOST_NAME -e N8N_PROTOCOL=https n8nio/n8n', {
      env,
    })
    expect(values).toMatchObject({ publicUrl: 'https://n8n.a.net/' })
  })

  test('a variable without a text is what the shell has', async () => {
    await expect(moved('docker', 'docker run -e N8N_HOST n8nio/n8n')).rejects.toThrow('Expected a value for N8N_HOST')
  })

  test('a name that a shell would run is one word in the commands that are printed', async () => {
    const { inside } = await moved('docker', "docker run --name '$(touch x)' n8nio/n8n")
    expect(inside).toBe("docker exec '$(touch x)'")
  })

  test('two without a name are two', async () => {
    await expect(moved('docker', 'docker run n8nio/n8n\ndocker run n8nio/n8n')).rejects.toThrow('got 2: n8n, n8n-2')
  })

  test('an option that it does not know is named, and nothing is printed', async () => {
    await expect(moved('docker', 'docker run --name n8n --oom-score-adj 5 n8nio/n8n')).rejects.toThrow(
      'services.n8n.--oom-score-adj',
    )
  })

  test('a file without n8n is refused', async () => {
    await expect(moved('docker', 'docker run redis:7')).rejects.toThrow(
      'Expected a command docker run with n8n’s image',
    )
  })
})

test('an env file becomes values, and its secrets are copied from the shell that has them', async () => {
  const found = await moved('env', 'GENERIC_TIMEZONE=Europe/Berlin\nN8N_SMTP_PASS=pass\nEXECUTIONS_DATA_MAX_AGE=100\n')
  expect(found.values).toMatchObject({
    timezone: 'Europe/Berlin',
    role: { extraEnv: { EXECUTIONS_DATA_MAX_AGE: '100' } },
  })
  expect(found.notes).toContain('env node -e')
  expect(JSON.stringify(found.values) + found.notes).not.toContain('"pass"')
  kept(['GENERIC_TIMEZONE', 'N8N_SMTP_PASS', 'EXECUTIONS_DATA_MAX_AGE'], found)
})
