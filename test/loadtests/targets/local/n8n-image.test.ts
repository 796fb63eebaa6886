import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import { n8n } from '../../../../loadtests/src/targets/local/images.ts'
import { refusalOf } from '../../../support/refusal.ts'

test('an n8n that this project cannot install makes the measurement invalid, and says which it can', async () => {
  const refusal = await refusalOf(() =>
    n8n({ repository: 'n8nio/n8n', tag: '9.9.9' }, { signal: new AbortController().signal, onProgress: () => {} }),
  )
  expect(refusal).toMatchObject({
    code: 'runtime-unavailable',
    exit: exitCodes.invalid,
    hint: expect.stringContaining('image.tag'),
  })
  expect(refusal.message).toContain('n8nio/n8n:9.9.9')
  expect(refusal.log.join()).toMatch(/one of .*2\.41\.1.*got 9\.9\.9/)
})
