import { packagesFetched } from '../../../loadtests/src/chart/community-nodes.ts'
import { render } from '../../../loadtests/src/chart/render.ts'

const fetchedBy = async (communityNodes: object) => packagesFetched([await render({ communityNodes })])

test('community nodes are fetched from the registry, but for those of a volume', async () => {
  const packages = ['n8n-nodes-one@1.0.0', '/volume/two.tgz']
  expect(await fetchedBy({ packages })).toEqual([{ registry: 'registry.npmjs.org', packages: ['n8n-nodes-one@1.0.0'] }])
  expect(await fetchedBy({ packages, registry: 'https://npm.example.com' })).toMatchObject([
    { registry: 'https://npm.example.com' },
  ])
  expect(await fetchedBy({ packages: ['/volume/two.tgz'] })).toEqual([])
})
