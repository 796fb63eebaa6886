import { describe, expect, it, test } from '@jest/globals'
import { s3Bucket, sampleFile, typeOf } from '../../../../../loadtests/src/workload/outside/answers/files.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

test.each([
  ['pdf', 'application/pdf', '%PDF'],
  ['png', 'image/png', '\x89PNG'],
  ['jpg', 'image/png', '\x89PNG'],
  ['mp3', 'audio/mpeg', '\xff\xfb'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ['csv', 'text/csv; charset=utf-8', 'id,name'],
  ['json', 'application/json; charset=utf-8', '{'],
  ['html', 'text/html; charset=utf-8', '<!'],
  ['rss', 'application/rss+xml; charset=utf-8', '<?xml'],
  ['txt', 'text/plain; charset=utf-8', 'A sample'],
])('a file that ends in .%s has that type and that kind of content', (ending, type, begins) => {
  expect(typeOf(ending)).toBe(type)
  expect(sampleFile(ending).toString('latin1').startsWith(begins)).toBe(true)
})

it('what has no sample is a text', () => {
  expect(typeOf('doc')).toBeUndefined()
  expect(String(sampleFile('doc'))).toMatch(/^A sample text/)
})

describe('a bucket', () => {
  const bucket = (address: string) => String(s3Bucket(askingOf(`GET ${address}`)).body)

  it('says where it is', () => expect(bucket('/?location=')).toMatch(/<LocationConstraint .*>us-east-1</))

  it('has a file, and no more', () => {
    expect(bucket('/?list-type=2')).toMatch(/<IsTruncated>false<.*<Key>sample\.pdf</)
  })
})
