// Every bound of the service in one place: sizes of input, counts, ages and time limits.

// Lists
export const pageLimitDefault = 10;
export const pageLimitMax = 100;
export const pageMax = 1_000_000_000;
export const searchLengthMax = 200;
export const cursorLengthMax = 4_096;

// Requests
export const bodyBytes = 1_048_576;
export const bulkBodyBytes = 16 * 1_048_576;
export const nestingMax = 20;
export const issuesMax = 1_000;
export const headerLengthMax = 255;
export const requestTimeoutMs = 30_000;
export const keepAliveTimeoutMs = 72_000;

// Overload
/** Requests that may wait to begin, and how long any may. */
export const shortLine = 256;
export const shortLineMs = 5_000;
/** How long the last of a longer line may have to. */
export const lineMs = 500;
export const lineLookMs = 250;
/** Bodies above this are counted, and so many bytes of them may be in memory at the same time. */
export const smallBodyBytes = 16_384;
export const largeBodiesBytes = 64 * 1_048_576;
export const largeBodiesWithoutKeyBytes = 4 * 1_048_576;
/** Requests sent ahead on one connection, behind the one that is being answered. */
export const pipelinedMax = 10;
/** Of one process. */
export const connectionsMax = 4_000;
export const turnAwayMs = 1_000;
/** How long an answer may take to be read, and how much may be unread. */
export const answerReadMs = 60_000;
export const unreadBytes = 64 * 1_048_576;
export const unreadLookMs = 1_000;

// Idempotency
export const idempotencyKeyLengthMax = 255;
export const idempotencyHours = 24;
/** Old answers deleted by one statement. */
export const idempotencyPurge = 10_000;

// Rates
export const requestsPerSecond = 2_000;
export const rateBurstSeconds = 2;
export const rateBuckets = 10_000;

// Authentication
export const keyCacheMs = 1_000;
export const keyCacheEntries = 10_000;
export const lastUsedMs = 60_000;

// Text
export const nameLengthMax = 255;
export const namePrefixLengthMax = 40;
export const textLengthMax = 1_000;
export const descriptionLengthMax = 20_000;
export const noteLengthMax = 5_000;
export const urlLengthMax = 2_048;
export const codeLengthMax = 100;
export const addressPartLengthMax = 255;
export const slugLengthMax = 63;
export const reasonLengthMax = 255;

// Metadata
export const metadataKeysMax = 50;
export const metadataKeyLengthMax = 40;
export const metadataValueLengthMax = 500;

// Numbers
/** The largest price; with four decimals it still survives a JSON number exactly. */
export const moneyMax = 99_999_999_999;
export const quantityMax = 1_000_000_000;
/** Units of one variant in one warehouse; all figures of a level then fit an integer. */
export const levelQuantityMax = 2_000_000_000;
export const measureMax = 1_000_000;
/** A warehouse's priority and a location's sequence, on either side of 0. */
export const rankMax = 1_000_000_000;

// Counts
export const orderLineItemsMax = 2_000;
export const tagsMax = 100;
export const notesMax = 500;
export const variantsMax = 1_000;
export const optionsMax = 20;
export const optionValuesMax = 500;
export const skuAliasesMax = 100;
export const picksMax = 1_000;
export const bomLineItemsMax = 200;
export const permissionsMax = 50;
export const bulkInventoryMax = 10_000;
/** Events that one statement takes from a change of more stock than that. */
export const eventsAtOnce = 500;
/** Differences that a verification of stock lists; it counts all of them. */
export const verifyDifferencesMax = 1_000;
export const leadTimeDaysMax = 3_650;
export const bulkOrdersMax = 1_000;
/** Orders of one bulk that are created at the same time; far from the size of the pool. */
export const bulkOrdersAtOnce = 4;
/** Backordered lines filled inside the transaction that raised the stock; a job fills the rest. */
export const backorderFillsInline = 100;

// Dates
export const yearMin = 1900;
export const yearMax = 9999;

// Database
export const poolSize = 10;
export const connectionTimeoutMs = 10_000;
export const idleConnectionMs = 30_000;
export const statementTimeoutMs = 60_000;
/** Longer than any statement may run: only a server that is gone stays silent for so long. */
export const answerTimeoutMs = 70_000;
export const lockTimeoutMs = 20_000;
export const idleInTransactionTimeoutMs = 30_000;
export const transactionAttempts = 8;
export const nameAttempts = 20;
/** Rows that an organisation's count of something is spread over. */
export const totalSlots = 16;
export const preparedStatements = 3_000;
export const retryAfterSeconds = 1;

// Events
export const eventRetentionDays = 30;
export const eventWaitSeconds = 30;
/** How often a process looks for events to number, and for numbers that readers wait for. */
export const eventPollMs = 50;
export const sequenceBatch = 1_000;
export const purgeBatch = 5_000;
/** Organisations that are seen to at the same time. */
export const organizationsAtOnce = 4;

// Scheduled jobs
export const jobConnections = 2;
export const jobPollSeconds = 10;

// Webhooks
export const webhookEndpointsMax = 100;
export const webhookSecretBytes = 32;
export const webhookSecretOverlapHours = 24;
export const webhookConnectMs = 5_000;
export const webhookTimeoutMs = 15_000;
/** Of an answer, how much is read and how much is kept. */
export const webhookAnswerReadBytes = 65_536;
export const webhookAnswerKeptBytes = 1_024;
/** A delivery that is being tried is due again after this, should its process have died; longer than any try. */
export const webhookLeaseMs = 30_000;
export const webhookPollMs = 250;
/** Deliveries of one endpoint that one process tries at the same time, and how many of one that is failing. */
export const webhookTriesAtOnce = 16;
export const webhookFailingTriesAtOnce = 2;
export const webhookEndpointsAtOnce = 500;
export const webhookDisableAfterHours = 120;
export const webhookFanOutBatch = 500;

// Carriers and quotes
/** Accounts of one organization that are not archived: all that are enabled are asked at once. */
export const carrierAccountsMax = 100;
/** How long one account may take over its rates, and with it a quote: they are asked at the same time. */
export const carrierRateTimeoutMs = 8_000;
export const carrierReferenceLengthMax = 4_000;
export const packagesMax = 100;
export const customsItemsMax = 2_000;
export const quoteHours = 24;

// EasyPost
export const easypostConnections = 32;
export const easypostConnectMs = 5_000;
export const easypostTimeoutMs = 30_000;
/** For what the carrier behind EasyPost takes part in. */
export const easypostActTimeoutMs = 60_000;
/** Of one call, where it may be tried again; the wait doubles, unless EasyPost says how long. */
export const easypostAttempts = 3;
export const easypostWaitMs = 300;
export const easypostWaitMaxMs = 5_000;
export const easypostAnswerBytes = 4 * 1_048_576;
/** A label or a scan form. */
export const easypostFileBytes = 8 * 1_048_576;
/** Each is a shipment of its own at EasyPost, and the reference of a rate names all of them. */
export const easypostParcelsMax = 40;
/** Calls for the parcels of one shipment that are made at the same time. */
export const easypostAtOnce = 8;
/** As many as EasyPost rates. */
export const easypostCarrierAccountsMax = 60;
export const easypostTaxIdentifiersMax = 20;
export const easypostTrackMs = 4 * 3_600_000;
export const easypostFormMs = 20_000;
export const easypostFormPollMs = 500;

// Logs
export const logBytesAtOnce = 8_192;
export const logFlushMs = 100;
/** Of lines that could not be written yet. */
export const logBytesHeld = 4 * 1_048_576;

// Shutdown
export const drainMs = 10_000;

// Tracking numbers
/** With the blanks that people write into them. */
export const trackingNumberLengthMax = 128;
/** Fifteen digits: still exact as a JSON number. */
export const serialMax = 999_999_999_999_999;

// Rate cards
/** Of the text of one, as JSON or CSV. */
export const rateCardBytes = 524_288;
export const rateCardBodyBytes = 2 * rateCardBytes;
/** Of a table in CSV. */
export const rateCardRowsMax = 20_000;
export const rateCardServicesMax = 50;
export const rateCardBreaksMax = 500;
export const rateCardZonesMax = 100;
export const rateCardZoneRulesMax = 20;
export const rateCardZoneRowsMax = 1_000;
export const rateCardPrefixesMax = 1_000;
export const rateCardSurchargesMax = 50;
/** Cards that a process keeps ready for use; one of 2,000 prices is 0.12 MB. */
export const rateCardsKept = 200;

// Purchases of labels
/** A carrier's answer to a purchase, and to any other question. */
export const carrierBuyTimeoutMs = 20_000;
export const carrierAskTimeoutMs = 8_000;
/** How long after an attempt without an answer a carrier may still be making the label. */
export const purchaseSettleMs = 120_000;
/** The first wait before an outcome that is not known is asked for again. */
export const purchaseRetryMs = 2_000;
export const purchaseAttemptsMax = 5;
/** What is done beside the calls under one claim: reading, storing, being late. */
export const claimSlackMs = 5_000;
/** How long a request waits for a purchase or a void that another one is making. */
export const purchaseWaitMs = 25_000;
/** How often a carrier is asked what became of a refund. */
export const refundPollMs = 3_600_000;
export const purchasesAtOnce = 4;
export const returnLabelRetryMs = 300_000;
export const trackersAtOnce = 20;
/** When a tracker is asked for again that could not be had. */
export const trackRetryMs = 300_000;
export const trackingEventsMax = 100;
export const manifestShipmentsMax = 10_000;
export const documentLinkSeconds = 86_400;

// Simulated carriers
export const simulatedTrackMs = 10_000;
/** How long one that does not answer is waited for, where nobody gives it up sooner. */
export const simulatedSilenceMs = 120_000;
