import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { arePublished } from '../../../loadtests/src/n8n/publish.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** As n8n 2.41 has its tables: two active workflows, of which it has published one. */
const folder = temporaryFolder()
mkdirSync(join(folder, '.n8n'), { recursive: true })
const database = new DatabaseSync(join(folder, '.n8n/database.sqlite'))
database.exec(`
  CREATE TABLE workflow_entity (id TEXT, "activeVersionId" TEXT);
  CREATE TABLE workflow_published_version ("workflowId" TEXT);
  CREATE TABLE workflow_publication_outbox ("workflowId" TEXT, status TEXT);
  INSERT INTO workflow_entity VALUES ('there', 'v1'), ('waits', 'v1'), ('broken', 'v1'), ('draft', NULL);
  INSERT INTO workflow_published_version VALUES ('there');
  INSERT INTO workflow_publication_outbox VALUES ('waits', 'pending'), ('broken', 'failed');
`)
const settings = { N8N_USER_FOLDER: folder }
const published = (ids: string[], version = '2.41.1', more = {}) => arePublished({ ...settings, ...more }, version, ids)

test('a workflow that n8n has not published yet is waited for', async () => {
  await expect(published(['there'])).resolves.toBe(true)
  await expect(published(['there', 'waits'])).resolves.toBe(false)
})

test('one that is no active workflow, or that n8n could not publish, is not', async () => {
  await expect(published(['draft', 'broken', 'none'])).resolves.toBe(true)
})

test('an n8n that does not publish by itself has nothing to wait for', async () => {
  await expect(published(['waits'], '2.39.0')).resolves.toBe(true)
  await expect(published(['waits'], '2.41.1', { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' })).resolves.toBe(true)
  await expect(published(['waits'], '3.0.0')).resolves.toBe(false)
})
