import DOMPurify, { type Config } from 'dompurify';
import { Marked, type RendererObject } from 'marked';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/**
 * Notes quote transcripts, which are hostile: raw HTML is shown as text, pictures as their words, and a link is a
 * button that holds its address, so nothing in a note can load, run or navigate by itself.
 */
const renderer: RendererObject = {
  html: ({ text }) => escapeHtml(text),
  image: ({ text, href }) => `<span class="picture">${escapeHtml(text || href)}</span>`,
  link({ href, tokens }) {
    const label = this.parser.parseInline(tokens);
    return /^(https?:|mailto:)/i.test(href)
      ? `<button type="button" class="address" data-address="${escapeHtml(href)}" title="${escapeHtml(href)}">${label}</button>`
      : label;
  },
  // The note's own title is the heading above; those of its body go below it.
  heading({ depth, tokens }) {
    const level = Math.min(6, depth + 2);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  },
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
};

const marked = new Marked({ gfm: true, breaks: true, async: false }, { renderer });

/** The second wall: whatever got through the renderer is cut to this. */
export const POLICY: Config = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'hr',
    'strong',
    'em',
    'del',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'h3',
    'h4',
    'h5',
    'h6',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'button',
  ],
  ALLOWED_ATTR: ['class', 'title', 'type', 'start', 'align', 'data-address'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export const markdownToHtml = (source: string): string => marked.parse(source) as string; // async is off

// Twice what a note may hold; more, as pasted into the editor, would stand still for seconds.
const MOST_CHARACTERS = 200_000;

/** Safe HTML of a note's markdown. */
export function renderMarkdown(markdown: string): string {
  const source = markdown.length > MOST_CHARACTERS ? `${markdown.slice(0, MOST_CHARACTERS)}…` : markdown;
  const html = markdownToHtml(source);
  // Without a DOM there is no second wall, and one is not enough.
  return DOMPurify.isSupported ? DOMPurify.sanitize(html, POLICY) : escapeHtml(source);
}
