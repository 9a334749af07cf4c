/** The SAT's matrix of refusals: the text of each code that this PAC checks. */
export const MATRIZ = {
  '301': 'XML mal formado',
  '401': 'Fecha y hora de generación fuera de rango',
  CFDI40104: 'El campo FormaPago no contiene un valor del catálogo c_FormaPago.',
  CFDI40105: 'El campo FormaPago debe contener el valor "99" cuando el campo MetodoPago contenga el valor "PPD".',
  CFDI40110: 'El valor registrado en el campo Descuento no es menor o igual que el campo Subtotal.',
  CFDI40124: 'El campo MetodoPago, no contiene un valor del catálogo c_MetodoPago.',
  CFDI40126: 'El campo LugarExpedicion, no contiene un valor del catálogo c_CodigoPostal.',
  CFDI40131: 'El campo Periodicidad no contiene un valor del catálogo c_Periodicidad.',
  CFDI40132: 'El campo Periodicidad contiene el valor "05" y el régimen del emisor no es "621".',
  CFDI40133: 'El campo Meses no contiene un valor del catálogo c_Meses.',
  CFDI40134: 'El campo Meses debe contener un valor de "01" a "12" cuando la periodicidad no es bimestral.',
  CFDI40135: 'El campo Meses debe contener un valor de "13" a "18" cuando la periodicidad es bimestral.',
  CFDI40136: 'El campo Año debe ser igual al año en curso o al año inmediato anterior.',
  CFDI40137: 'El campo TipoRelacion, no contiene un valor del catálogo c_TipoRelacion.',
  CFDI40140: 'El campo RegimenFiscal, no contiene un valor del catálogo c_RegimenFiscal.',
  CFDI40141: 'La clave del campo RegimenFiscal debe corresponder con el tipo de persona (fisica o moral).',
  CFDI40143: 'Este RFC del receptor no existe en la lista de RFC inscritos no cancelados del SAT.',
  CFDI40145:
    'El campo Nombre del receptor, debe pertenecer al nombre asociado al RFC registrado en el campo Rfc del Receptor.',
  CFDI40146: 'El Rfc del receptor debe ser "XAXX010101000" cuando existe el nodo InformacionGlobal.',
  CFDI40147:
    'El campo DomicilioFiscalReceptor del receptor, debe encontrarse en la lista de RFC inscritos no cancelados en el SAT.',
  CFDI40148:
    'El campo DomicilioFiscalReceptor del receptor, debe pertenecer al nombre asociado al RFC registrado en el campo Rfc del Receptor.',
  CFDI40149:
    'El campo DomicilioFiscalReceptor, debe ser igual al valor del campo LugarExpedicion cuando el Rfc del receptor es genérico.',
  CFDI40157: 'El campo RegimenFiscalR, no contiene un valor del catálogo c_RegimenFiscal.',
  CFDI40158: 'La clave del campo RegimenFiscalR debe corresponder con el tipo de persona (física o moral).',
  CFDI40159: 'La clave del campo RegimenFiscalR debe ser uno de los regímenes registrados para el RFC del receptor.',
  CFDI40160: 'El campo UsoCFDI, no contiene un valor del catálogo c_UsoCFDI.',
  CFDI40161:
    'La clave del campo UsoCFDI debe corresponder con el tipo de persona (física o moral) y el régimen correspondiente conforme al catálogo c_UsoCFDI.',
  CFDI40162: 'El campo ClaveProdServ, no contiene un valor del catálogo c_ClaveProdServ.',
  CFDI40165: 'El campo ClaveUnidad no contiene un valor del catálogo c_ClaveUnidad.',
  CFDI40166:
    'El valor del campo ValorUnitario debe ser mayor que cero (0) cuando el tipo de comprobante es Ingreso, Egreso o Nomina.',
  CFDI40167: 'El valor del campo Importe no se encuentra entre el limite inferior y superior permitido.',
  CFDI40168:
    'El valor del campo Descuento debe tener hasta la cantidad de decimales que tenga registrado el atributo importe del concepto.',
  CFDI40169: 'El valor del campo Descuento es mayor que el campo Importe.',
  CFDI40170: 'El valor del campo ObjetoImp que corresponde a Concepto no contiene un valor del catálogo c_ObjetoImp.',
  CFDI40171:
    'Si el valor registrado en el campo ObjetoImp es "02", deben existir impuestos desglosados a nivel de concepto.',
  CFDI40172: 'El valor registrado en el campo ObjetoImp no permite desglosar impuestos a nivel de concepto.',
  CFDI40173:
    'En caso de utilizar el nodo Impuestos en un concepto, se deben incluir impuestos de traslado y/o retenciones.',
  CFDI40174: 'El valor del campo Base que corresponde a Traslado debe ser mayor que cero.',
  CFDI40175: 'El valor del campo Impuesto que corresponde a Traslado no contiene un valor del catálogo c_Impuesto.',
  CFDI40176: 'El valor del campo TipoFactor que corresponde a Traslado no contiene un valor del catálogo c_TipoFactor.',
  CFDI40177:
    'Si el valor registrado en el campo TipoFactor es Exento no se deben registrar los campos TasaOCuota ni Importe.',
  CFDI40178:
    'Si el valor registrado en el campo TipoFactor es Tasa o Cuota, se deben registrar los campos TasaOCuota e Importe.',
  CFDI40179:
    'El valor del campo TasaOCuota que corresponde a Traslado no contiene un valor del catálogo c_TasaOCuota o se encuentra fuera de rango.',
  CFDI40180:
    'El valor del campo Importe que corresponde a Traslado no se encuentra entre el limite inferior y superior permitido.',
} as const;
