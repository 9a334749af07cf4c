/** The names of a marketplace that may stand outside its folder, by file, each with its reason: an agreed text, address or field, or a stored name. */
export const EXCEPTIONS: Readonly<Record<string, { names: readonly string[]; why: string }>> = {
  'app/access/screens.ts': {
    names: ['avisosMercadolibre'],
    why: 'The address of the door for notices is registered at Mercado Libre (`/avisos/mercadolibre`).',
  },
  'app/api/legacy/conexiones.server.ts': {
    names: [
      '~/domain/mercados/amz/eventBridge.server',
      '~/domain/mercados/amz/linkEventBridge.server',
      'mercadolibre',
      'amazon',
      'amz',
      'ml',
      'amazonLista',
    ],
    why: "The old client's calls name one marketplace each, and so do their answers.",
  },
  'app/api/legacy/productos.server.ts': {
    names: ['ml'],
    why: "The old client's field `idML` of a product.",
  },
  'app/api/legacy/ordenes.server.ts': {
    names: ['ImporteAmz', 'importeAmz', 'amz'],
    why: "The old client's field `items.OrderItems`, which an order of Amazon alone has.",
  },
  'app/api/legacy/publicaciones.server.ts': {
    names: ['sinPublicacionMl', 'DatosMl', 'amz'],
    why: "The old client's addresses and fields (`/sinPublicacion/ml`, `datosML`, `amz`).",
  },
  'app/api/v1/productos.server.ts': {
    names: ['sinPublicacionMl', 'ml', 'amz'],
    why: 'A field of the API for each marketplace, and the list at the agreed address `/sinPublicacion/ml`.',
  },
  'app/core/env.server.ts': {
    names: [
      'https://api.mercadolibre.com',
      'https://auth.mercadolibre.com.mx',
      'https://api.mercadopago.com',
      'https://sellingpartnerapi-na.amazon.com',
      'https://api.amazon.com',
      'https://sellercentral.amazon.com.mx',
      'MERCADOLIBRE_URL',
      'MERCADOLIBRE_AUTH_URL',
      'MERCADOLIBRE_CLIENT_ID',
      'MERCADOLIBRE_CLIENT_SECRET',
      'AMAZON_URL',
      'AMAZON_LWA_URL',
      'AMAZON_SELLER_URL',
      'AMAZON_APP_ID',
      'AMAZON_CLIENT_ID',
      'AMAZON_CLIENT_SECRET',
      'AMAZON_EB_CUENTA',
      'AMAZON_EB_REGION',
      'AMAZON_SQS_COLA',
      'AMAZON_SQS_REGION',
      'AMAZON_SQS_LLAVE',
      'AMAZON_SQS_SECRETO',
      'AMAZON_PRECIOS',
    ],
    why: 'Names of the environment, which the installation sets, with their defaults.',
  },
  'app/core/sellerCentral.ts': {
    names: ['https://sellercentral.amazon.com.mx', 'AMAZON_SELLER_URL'],
    why: 'A name of the environment with its default; the page carries its value to the browser.',
  },
  'app/domain/compras/precios/forms.ts': {
    names: ['ml', 'amz'],
    why: 'A field of the form for each marketplace, written out so that the API describes them.',
  },
  'app/domain/facturacion/cancelacion/internal/lineaFactura.server.ts': {
    names: ['Amazon'],
    why: 'Stored types of effects, and the words people read of them.',
  },
  'app/domain/facturacion/cfdi/ajustes.server.ts': {
    names: ['subirCfdiMl'],
    why: 'A stored setting (`subirCfdiMl`), which holds for every marketplace.',
  },
  'app/domain/facturacion/cfdi/forms.ts': {
    names: ['subirCfdiMl'],
    why: 'A stored setting (`subirCfdiMl`), which holds for every marketplace.',
  },
  'app/domain/facturacion/emision/internal/stampFactura.server.ts': {
    names: ['subirCfdiMl'],
    why: 'A stored setting (`subirCfdiMl`), which holds for every marketplace.',
  },
  'app/domain/mercados/activacion.ts': {
    names: ['ACTIVACION_AMZ', './amz/activacion', 'ACTIVACION_ML', './ml/activacion'],
    why: 'The list of marketplaces: their words after an activation.',
  },
  'app/domain/mercados/mercados.ts': {
    names: ['rasgosAmz', './amz/rasgos', 'rasgosMl', './ml/rasgos', 'ml', 'amz'],
    why: 'The list of marketplaces: their traits.',
  },
  'app/domain/mercados/registro.server.ts': {
    names: ['fuenteAmz', './amz/fuente.server', 'fuenteMl', './ml/fuente.server'],
    why: 'The list of marketplaces: their adapters.',
  },
  'app/domain/operacion/effectCatalog.server.ts': {
    names: ['~/domain/mercados/amz/linkEventBridge.server'],
    why: 'The list of effects: the event bridge is an act of one adapter alone.',
  },
  'app/domain/operacion/farSides.server.ts': {
    names: ['amazon', '~/domain/mercados/amz/conexion.server', 'mercadolibre', '~/domain/mercados/ml/conexion.server'],
    why: 'The list of far sides, in the order of their screen.',
  },
  'app/domain/operacion/linkCatalog.server.ts': {
    names: [
      'linkAmazonToken',
      '~/domain/mercados/amz/cuenta.server',
      '~/domain/mercados/amz/linkEventBridge.server',
      'amazon',
    ],
    why: 'The list of far sides whose keys bring more than themselves.',
  },
  'app/domain/publicaciones/publicador/sinPublicacionList.server.ts': {
    names: ['sinPublicacionMl'],
    why: 'The list at the agreed address `/sinPublicacion/ml`.',
  },
  'app/http/headers.server.ts': {
    names: ['MERCADOLIBRE_AUTH_URL'],
    why: 'A name of the environment.',
  },
  'app/routes/compras/tiendas/ProveedorCard.tsx': {
    names: ['ml', 'amz', 'mlColchon', 'amzColchon'],
    why: 'Fields of a form for each marketplace.',
  },
  'app/routes/files/avisosMercadolibre.ts': {
    names: ['fuenteMl', '~/domain/mercados/ml/fuente.server', '~/domain/mercados/ml/avisos.server'],
    why: 'The door of one marketplace: its notices are not those of another.',
  },
  'app/routes/operacion/conexiones/EnlacesCard.tsx': {
    names: ['subirCfdiMl'],
    why: 'A stored setting (`subirCfdiMl`), which holds for every marketplace.',
  },
  'app/routes/operacion/conexiones/EventBridgeCard.tsx': {
    names: ['~/domain/mercados/amz/eventBridge.server'],
    why: 'The event bridge of Amazon, a card of its own, as agreed.',
  },
  'app/routes/operacion/conexiones/conexiones.tsx': {
    names: ['~/domain/mercados/amz/eventBridge.server'],
    why: 'The event bridge of Amazon, a card of its own, as agreed.',
  },
};
