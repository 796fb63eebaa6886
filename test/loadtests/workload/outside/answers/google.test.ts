import { describe, expect, it } from '@jest/globals'
import {
  calendarFree,
  driveFile,
  gmailDraft,
  gmailMessage,
} from '../../../../../loadtests/src/workload/outside/answers/google.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

describe('a file of Drive', () => {
  it('is what Google knows of it', () => {
    expect(driveFile(askingOf('GET /drive/v3/files/doc1')).body).toMatchObject({
      id: 'doc1',
      mimeType: 'application/pdf',
      webViewLink: 'https://drive.google.com/file/d/doc1/view',
    })
  })

  it('is its content, where a node downloads it', () => {
    const { headers, body } = driveFile(askingOf('GET /drive/v3/files/doc1?alt=media'))
    expect(headers).toEqual({ 'content-type': 'application/pdf' })
    expect(String(body)).toMatch(/^%PDF/)
  })
})

describe('a mail', () => {
  const headers = (body: unknown) =>
    (body as { payload: { headers: { name: string; value: string }[] } }).payload.headers.map(({ name }) => name)

  it('has its headers in a list, where a node simplifies it', () => {
    const { body } = gmailMessage(askingOf('GET /gmail/v1/users/me/messages/mail1?format=metadata'))
    expect(body).toMatchObject({ id: 'mail1', labelIds: ['INBOX', 'UNREAD'] })
    expect(headers(body)).toEqual(['From', 'To', 'Subject', 'Message-ID', 'Date'])
  })

  it('is as it was sent, where a node parses it', () => {
    const { raw } = gmailMessage(askingOf('GET /gmail/v1/users/me/messages/mail1?format=raw')).body as { raw: string }
    expect(Buffer.from(raw, 'base64url').toString()).toMatch(/^From: Ada Lovelace [^]*\r\n\r\nA sample text/)
  })

  it('is within its draft', () => {
    expect(gmailDraft(askingOf('GET /gmail/v1/users/me/drafts/draft1?format=raw')).body).toMatchObject({
      id: 'draft1',
      message: { labelIds: ['DRAFT'], raw: expect.any(String) },
    })
  })
})

it('each calendar that is asked for has time', () => {
  const asking = askingOf('POST /calendar/v3/freeBusy', { items: [{ id: 'ada@example.com' }] })
  expect(calendarFree(asking).body).toMatchObject({ calendars: { 'ada@example.com': { busy: [] } } })
})
