import { outsideOf, outsideWarnings } from '../../../loadtests/src/cli/outside.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { Outside } from '../../../loadtests/src/model/outside.ts'

const folder = temporaryFolder()
const local = { target: 'local' } as const
const rules = (host: string) => Outside.parse({ rules: [{ host }] })

test('workflows of one’s own get a mock, bundled ones need none', async () => {
  expect(await outsideOf(undefined, true, local)).toEqual({ rules: [], allow: [], record: null })
  expect(await outsideOf(undefined, false, local)).toBeNull()
})

test('--allow-outside leaves nothing to stand in, and says so', async () => {
  const options = { ...local, allowOutside: true as const }
  expect(await outsideOf(rules('a'), true, options)).toBeNull()
  expect(outsideWarnings(null, true, options)[0]).toContain('--allow-outside')
})

test('--outside goes in place of what the profile says', async () => {
  const outside = await write(folder, 'rules.yaml', 'rules: [{ host: b }]')
  expect((await outsideOf(rules('a'), false, { ...local, outside }))!.rules).toMatchObject([{ host: 'b' }])
})

test('what was recorded comes behind the rules by hand', async () => {
  const recorded = await write(folder, 'recorded.yaml', 'rules: [{ host: b }]')
  expect((await outsideOf({ ...rules('a'), recorded }, true, local))!.rules).toMatchObject([
    { host: 'a' },
    { host: 'b' },
  ])
})

test('a recording goes on where it is, and begins where it is not', async () => {
  const recordOutside = await write(folder, 'goes-on.yaml', 'rules: [{ host: b }]')
  expect(await outsideOf(undefined, true, { ...local, recordOutside })).toMatchObject({
    rules: [{ host: 'b' }],
    record: recordOutside,
  })
  expect(await outsideOf(undefined, true, { ...local, recordOutside: `${folder}/new.yaml` })).toMatchObject({
    rules: [],
    record: `${folder}/new.yaml`,
  })
})

test('an n8n that runs already calls the real services: a mock for it is refused, else it is said', async () => {
  const target = new URL('https://n8n.example.com')
  const refusal = await refusalOf(() => outsideOf(rules('a'), true, { target }))
  expect(refusal).toMatchObject({
    code: 'outside-elsewhere',
    exit: exitCodes.usage,
    message: expect.stringContaining('URL'),
  })
  expect(await outsideOf(undefined, true, { target })).toBeNull()
  expect(outsideWarnings(null, true, { target })[0]).toContain('the lab mocks none')
  expect(outsideWarnings(null, false, { target })).toEqual([])
})

test('in a cluster services are mocked too, by rules and by their hosts; nothing is recorded there', async () => {
  const target = 'kubernetes'
  expect(await outsideOf(undefined, true, { target })).toEqual({ rules: [], allow: [], record: null, hints: [] })
  expect(await outsideOf(rules('a'), true, { target })).toMatchObject({ rules: [{ host: 'a' }] })
  expect(await outsideOf(undefined, true, { target, allowOutside: true })).toBeNull()
  const recorded = await refusalOf(() => outsideOf(undefined, true, { target, recordOutside: 'answers.yaml' }))
  expect(recorded).toMatchObject({ code: 'recorded-elsewhere', exit: exitCodes.usage })
})
