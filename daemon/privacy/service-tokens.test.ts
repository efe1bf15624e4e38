import { expect, test } from 'vitest';
import { redactSecrets } from './secrets.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALL = UPPER + UPPER.toLowerCase() + DIGITS;

/** As a service would draw it, but the same every time. Drawn here, so that no scanner takes this file for a leak. */
function drawing(seed: number) {
  let state = seed;
  const next = () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
  return (length: number, letters = ALL) =>
    Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');
}

type Draw = ReturnType<typeof drawing>;
const TOKENS: Record<string, (draw: Draw) => string> = {
  'Slack app': (draw) => `xapp-1-${draw(11, UPPER)}-${draw(13, DIGITS)}-${draw(64, HEX)}`,
  'GitLab runner': (draw) => `glrt-${draw(20)}`,
  'GitLab deploy': (draw) => `gldt-${draw(20)}`,
  DigitalOcean: (draw) => `dop_v1_${draw(64, HEX)}`,
  Shopify: (draw) => `shpat_${draw(32, HEX)}`,
  Linear: (draw) => `lin_api_${draw(40)}`,
  Notion: (draw) => `ntn_${draw(11, DIGITS)}${draw(35)}`,
  'Notion of old': (draw) => `secret_${draw(43)}`,
  '1Password': (draw) => `ops_eyJ${draw(250)}`,
  'Grafana cloud': (draw) => `glc_eyJ${draw(60)}`,
  Grafana: (draw) => `glsa_${draw(32)}_${draw(8, HEX)}`,
  'Docker Hub': (draw) => `dckr_pat_${draw(27)}`,
  Vault: (draw) => `hvs.${draw(95)}`,
  Figma: (draw) => `figd_${draw(40)}`,
  Groq: (draw) => `gsk_${draw(52)}`,
  xAI: (draw) => `xai-${draw(80)}`,
  Perplexity: (draw) => `pplx-${draw(48)}`,
  Replicate: (draw) => `r8_${draw(37)}`,
  Supabase: (draw) => `sbp_${draw(40, HEX)}`,
  PlanetScale: (draw) => `pscale_tkn_${draw(43)}`,
  Sentry: (draw) => `sntrys_eyJ${draw(150)}`,
  'New Relic': (draw) => `NRAK-${draw(27, UPPER + DIGITS)}`,
  RubyGems: (draw) => `rubygems_${draw(48, HEX)}`,
  Clojars: (draw) => `CLOJARS_${draw(60, HEX)}`,
  Atlassian: (draw) => `ATATT3xFfGF0${draw(180)}`,
  Square: (draw) => `EAAAl${draw(59)}`,
  EasyPost: (draw) => `EZAK${draw(54)}`,
  Postman: (draw) => `PMAK-${draw(24, HEX)}-${draw(34, HEX)}`,
  Pulumi: (draw) => `pul-${draw(40, HEX)}`,
  Terraform: (draw) => `${draw(14)}.atlasv1.${draw(64)}`,
  Doppler: (draw) => `dp.pt.${draw(43)}`,
  Fly: (draw) => `fm2_${draw(100)}`,
  Netlify: (draw) => `nfp_${draw(36)}`,
  SendGrid: (draw) => `SG.${draw(22)}.${draw(43)}`,
  Mailgun: (draw) => `key-${draw(32, HEX)}`,
  Twilio: (draw) => `SK${draw(32, HEX)}`,
  Databricks: (draw) => `dapi${draw(32, HEX)}`,
  Telegram: (draw) => `${draw(10, DIGITS)}:AA${draw(33)}`,
  'Discord webhook': (draw) => `discord.com/api/webhooks/${draw(18, DIGITS)}/${draw(68)}`,
  'Azure storage': (draw) => `AccountKey=${draw(86)}==`,
  'Azure client': (draw) => `${draw(3)}8Q~${draw(34)}`,
  Airtable: (draw) => `pat${draw(14)}.${draw(64, HEX)}`,
  HubSpot: (draw) =>
    `pat-na1-${draw(8, HEX)}-${draw(4, HEX)}-${draw(4, HEX)}-${draw(4, HEX)}-${draw(12, HEX)}`,
  Mapbox: (draw) => `sk.eyJ${draw(80)}.${draw(22)}`,
  age: (draw) => `AGE-SECRET-KEY-1${draw(58, UPPER + DIGITS)}`,
};

test.each(Object.entries(TOKENS))(
  'a token of %s goes whole, wherever it stands, and what is around it stays',
  (_service, tokenOf) => {
    for (let seed = 1; seed <= 20; seed++) {
      const token = tokenOf(drawing(seed));
      for (const [before, after] of [
        ['please use ', ' to deploy'],
        ['"', '", then'],
        ['`', '`\nrun'],
        ['(', ')'],
      ] as const) {
        const { text, counts } = redactSecrets(before + token + after);
        expect(Object.values(counts), token).toEqual([1]);
        expect(text).toMatch(/^.*\[redacted [a-z ]+\].*$/s);
        expect([text.startsWith(before), text.endsWith(after), text.includes(token.slice(-10))]).toEqual([
          true,
          true,
          false,
        ]);
      }
    }
  },
);

test.each([
  'see glsa_dashboard_settings_page_component and xai-experiment-configuration.ts',
  'the key-value store, a pul-request-template and r8_shrinker',
  'EAAA and SK and SG.com',
  'pat-na1-region',
  'hvs.internal.example.test',
  'toolu_01A2b3C4d5E6f7G8h9J0k1L2',
  'secret_santa_list_generator',
  'at 12345678:AA of the table',
])('%s is left as it is', (text) => {
  expect(redactSecrets(text)).toEqual({ text, counts: {} });
});

// One that is not read in linear time would not come to its end before the test's own limit.
test.each(['gsk_', 'SG.a', 'dp.pt.', '1:AA', 'aaa8Q~', 'ATATT3', '12345678:AA', 'discord.com/api/webhooks/'])(
  'a megabyte of %j comes to its end',
  (piece) => {
    expect(redactSecrets(piece.repeat(1_000_000 / piece.length)).text).not.toBe('');
  },
);
