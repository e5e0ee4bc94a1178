// Samples of operations on carrier accounts and quotes.
import { makeQuote, makeVans, quoteBody, rateCard } from './carriers.ts';
import { make, makeCarrierAccount } from './factories.ts';
import { nothing, orderOf, type SampleMaker } from './sample.ts';

export const carrierSamples: Record<string, SampleMaker> = {
  listCarrierAccounts: nothing,
  createCarrierAccount: async () => ({
    body: {
      carrierCode: 'ups',
      description: 'UPS through EasyPost',
      kind: 'easypost',
      enabled: false,
      settings: { carrierAccountIds: ['ca_7642d249fdcf47bcb5da9ea34c96dfcf'] },
      credentials: { apiKey: 'EZTK0123456789abcdef' },
    },
  }),
  getCarrierAccount: async (request) => ({
    ids: { carrierAccountId: (await makeCarrierAccount(request)).id },
  }),
  updateCarrierAccount: async (request) => ({
    ids: { carrierAccountId: (await makeCarrierAccount(request)).id },
    body: { enabled: false },
  }),
  listRateCards: async (request) => ({ ids: { carrierAccountId: (await makeVans(request)).id } }),
  createRateCard: async (request) => ({
    ids: { carrierAccountId: (await makeCarrierAccount(request)).id },
    body: rateCard({ effectiveFrom: '2026-01-01' }),
  }),
  getRateCard: async (request) => {
    const { id } = await makeCarrierAccount(request);
    const card = await make(request, `/carrier-accounts/${id}/rate-cards`, rateCard());
    return { ids: { carrierAccountId: id, rateCardId: card.id } };
  },

  listShippingQuotes: nothing,
  createShippingQuote: async (request) => {
    const { order } = await orderOf(request);
    await makeVans(request);
    return { body: quoteBody({ orderId: order.id }) };
  },
  getShippingQuote: async (request) => ({ ids: { shippingQuoteId: (await makeQuote(request)).id } }),
};
