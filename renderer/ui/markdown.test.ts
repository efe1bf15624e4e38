import { describe, expect, test } from 'vitest';
import { markdownToHtml, POLICY, renderMarkdown } from './markdown.ts';

describe('the markdown of a note', () => {
  test('keeps prose, code and lists', () => {
    const html = markdownToHtml('# Why\n\nUse **tabs**.\n\n- one\n\n```sh\nrm -rf dist && make\n```');
    expect(html).toContain('<h3>Why</h3>');
    expect(html).toContain('<strong>tabs</strong>');
    expect(html).toContain('<li>one</li>');
    expect(html).toContain('rm -rf dist &amp;&amp; make');
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <iframe src="https://evil.example"></iframe>',
    '<svg onload=alert(1)>',
  ])('shows raw HTML as text: %s', (source) => {
    expect(markdownToHtml(source)).not.toMatch(/<(script|img|iframe|svg)/i);
  });

  test('loads no picture, from anywhere', () => {
    const html = markdownToHtml('![a cat](https://evil.example/cat.png) ![](data:image/png;base64,AAAA)');
    expect(html).not.toContain('<img');
    expect(html).toContain('a cat');
  });

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,hi)',
    '[x](file:///etc/passwd)',
    '[x](vbscript:x)',
  ])('makes no link of %s', (source) => {
    expect(markdownToHtml(source)).not.toMatch(/javascript:|data:|file:|vbscript:/i);
  });

  test('a web link is a button that holds its address and navigates nowhere', () => {
    const html = markdownToHtml('[docs](https://example.com/?a=1&b="2)');
    expect(html).toContain('data-address="https://example.com/?a=1&amp;b=');
    expect(html).not.toContain('href');
  });

  test('the second wall allows nothing that loads, runs or navigates', () => {
    for (const tag of ['a', 'img', 'script', 'style', 'iframe', 'object', 'form', 'input', 'svg', 'math']) {
      expect(POLICY.ALLOWED_TAGS).not.toContain(tag);
    }
    for (const attribute of ['href', 'src', 'style', 'srcset', 'onclick', 'id'])
      expect(POLICY.ALLOWED_ATTR).not.toContain(attribute);
  });

  test('what no note can hold is cut, not drawn for seconds', () => {
    expect(renderMarkdown('a'.repeat(5_000_000))).toBe(`${'a'.repeat(200_000)}…`);
  });

  test('where the second wall cannot stand, everything is text', () => {
    expect(renderMarkdown('**a** <b>')).toBe('**a** &lt;b&gt;');
  });
});
