import { html, json } from '../../../../loadtests/src/report/print/escape.ts'

test('everything that is put in is escaped', () => {
  expect(html`<p title="${'"'}">${"<script>&'"}</p>`.text).toBe('<p title="&quot;">&lt;script&gt;&amp;&#39;</p>')
})

test('markup of its own making stays markup, in lists too', () => {
  expect(html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
})

test('what is absent leaves nothing, and zero is not absent', () => {
  expect(html`${null}${undefined}${false}${0}`.text).toBe('0')
})

test('JSON cannot end the script element that holds it', () => {
  expect(json({ name: '</script><script>alert(1)</script>' }).text).not.toContain('<')
})
