"""Bills of Alipay and WeChat Pay, made up in their layouts: sides, neutral rows, refunds, states, preambles, encodings."""

from __future__ import annotations

import pytest

from ledger.importers import read_statement
from ledger.importers.currencies import settle_currency
from tests.support.workbooks import written

WECHAT = """\
微信支付账单明细,,,,,,,,,,
微信昵称：[安],,,,,,,,,,
起始时间：[2026-09-01 00:00:00] 终止时间：[2026-09-30 23:59:59],,,,,,,,,,
共6笔记录,,,,,,,,,,
收入：2笔 100.00元,,,,,,,,,,
中性交易：2笔 600.00元,,,,,,,,,,
----------------------微信支付账单明细列表--------------------,,,,,,,,,,
交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注
2026-09-28 12:30:45,商户消费,小面馆,"午餐",支出,¥28.50,零钱,支付成功,"1000000000000000000001\t","20001\t","/"
2026-09-27 18:20:00,微信红包,李四,"/",收入,¥88.00,/,已存入零钱,"1000000000000000000002\t","/","/"
2026-09-26 09:00:00,商户消费,鞋店,"鞋",支出,¥12.00,零钱,已全额退款,"1000000000000000000003\t","20003\t","/"
2026-09-26 10:00:00,鞋店-退款,鞋店,"/",收入,¥12.00,零钱,已全额退款,"1000000000000000000004\t","20003\t","/"
2026-09-25 10:00:00,零钱提现,某银行(7387),"/",/,¥500.00,某银行(7387),提现已到账,"1000000000000000000005\t","/","服务费¥0.50"
2026-09-24 10:00:00,零钱充值,/,"/",/,¥100.00,某银行(7387),充值完成,"1000000000000000000006\t","/","/"
"""

ALIPAY = """\
------------------------------------------------------------------------------------
导出信息：
姓名：安
支付宝账户：ann@example.com
起始时间：[2026-09-01 00:00:00]    终止时间：[2026-09-30 23:59:59]
共7笔记录
特别提示：
1.本明细仅供个人对账使用。
------------------------支付宝（中国）网络技术有限公司  电子客户回单------------------------
交易时间,交易分类,交易对方,对方账号,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号,备注,
2026-09-20 18:54:05,日用百货,某超市,shop***@example.com,牙膏,支出,25.90,花呗,交易成功,20260920001\t,D001\t,,
2026-09-19 09:00:00,收入,王五,/,工资,收入,5000.00,余额,交易成功,20260919001\t,\t,,
2026-09-18 14:00:00,退款,某网店,/,退款-衣服,不计收支,99.00,余额宝,退款成功,20260917001_R\t,\t,,
2026-09-17 14:00:00,服饰装扮,某网店,/,衣服,支出,99.00,余额宝,交易关闭,20260917001\t,\t,,
2026-09-16 12:00:00,信用借还,花呗,/,自动还款-花呗2026年09月账单,不计收支,300.00,某银行储蓄卡(1234),还款成功,20260916001\t,\t,,
2026-09-15 10:00:00,投资理财,余额宝,/,余额宝-自动转入,不计收支,500.00,余额,交易成功,20260915001\t,\t,,
2026-09-14 10:00:00,数码电器,某店,/,手机,不计收支,3000.00,,交易关闭,20260914001\t,\t,,
2026-09-13 10:00:00,餐饮美食,某饭馆,/,晚餐,支出,88.00,余额宝,等待付款,20260913001\t,\t,,
2026-09-12 10:00:00,其他,某人,/,某事,不计收支,1.00,余额,交易成功,20260912001\t,\t,,
"""

OLD_ALIPAY = """\
支付宝交易记录明细查询
账号:[ann@example.com]
起始日期:[2026-01-01 00:00:00]    终止日期:[2026-02-01 00:00:00]
---------------------------------交易记录明细列表------------------------------------
交易号                  ,商家订单号               ,交易创建时间              ,付款时间                ,最近修改时间              ,交易来源地     ,类型              ,交易对方            ,商品名称                ,金额（元）   ,收/支     ,交易状态    ,服务费（元）   ,成功退款（元）  ,备注                  ,资金状态     ,
2026010322001456000001\t,M2026010301   \t,2026-01-03 13:26:28 ,2026-01-03 13:26:29 ,2026-01-03 13:26:29 ,其他,即时到账交易          ,铁路公司      ,火车票                 ,493.50  ,支出      ,交易成功    ,0.00     ,0.00     ,                    ,已支出      ,
2026010230073829430002\t,                    \t,2026-01-02 05:39:17 ,                    ,2026-01-02 05:39:17 ,支付宝网站     ,即时到账交易          ,某基金公司      ,余额宝-2026.01.01-收益发放 ,2.83    ,        ,交易成功    ,0.00     ,0.00     ,                    ,已收入      ,
2026010130073829430003\t,                    \t,2026-01-01 05:39:17 ,                    ,2026-01-01 05:39:17 ,支付宝网站     ,即时到账交易          ,某店      ,杯子 ,9.00    ,        ,交易关闭    ,0.00     ,0.00     ,                    ,      ,
"""


def brief(statement):
    return [f"{row.booked_on:%m-%d} {row.amount} {row.description}" for row in statement.rows]


def kinds(statement):
    return {f"{row.booked_on:%m-%d}": row.type_hint for row in statement.rows if "kind:" in (row.type_hint or "")}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_wechat_pay(encoding):
    statement = read_statement("微信.csv", WECHAT.encode(encoding))
    assert brief(statement) == [
        "09-28 -28.50 小面馆", "09-27 88.00 李四", "09-26 -12.00 鞋店", "09-26 12.00 鞋店", "09-25 -500.00 某银行(7387)",
        "09-24 100.00 零钱充值",
    ]  # fmt: skip
    assert kinds(statement) == {"09-25": "kind: transfer", "09-24": "kind: transfer"}
    assert {settle_currency(row.currency, statement.home.currency) for row in statement.rows} == {"CNY"}
    assert statement.rows[0].external_id == "1000000000000000000001"
    assert statement.rejected == ()


def test_wechat_pay_as_a_workbook():
    rows = [line.split(",") for line in WECHAT.replace('"', "").replace("¥", "").splitlines()]
    rows = [
        [float(cell) if column == 5 and cell.replace(".", "").isdigit() else cell for column, cell in enumerate(row)]
        for row in rows
    ]
    statement = read_statement("x.xlsx", written({"Sheet1": rows}))
    assert [str(row.amount) for row in statement.rows] == ["-28.5", "88", "-12", "12", "-500", "100"]
    assert {settle_currency(row.currency, statement.home.currency) for row in statement.rows} == {"CNY"}


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_alipay(encoding):
    statement = read_statement("alipay.csv", ALIPAY.encode(encoding))
    assert brief(statement) == [
        "09-20 -25.90 某超市", "09-19 5000.00 王五", "09-18 99.00 某网店", "09-17 -99.00 某网店", "09-16 -300.00 花呗",
        "09-15 -500.00 余额宝",
    ]  # fmt: skip
    assert kinds(statement) == {"09-18": "kind: refund", "09-16": "kind: card_payment", "09-15": "kind: transfer"}
    assert [(row.row, row.reason) for row in statement.rejected] == [
        (17, "the payment is marked “交易关闭”, so it is not booked"),
        (18, "the payment is marked “等待付款”, so it is not booked"),
        (19, "the payment is marked “不计收支”, so it is not booked"),
    ]
    assert statement.home.currency == "CNY"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_alipay_s_older_bills(encoding):
    statement = read_statement("alipay_record.csv", OLD_ALIPAY.encode(encoding))
    assert brief(statement) == ["01-03 -493.50 铁路公司", "01-02 2.83 某基金公司"]
    assert kinds(statement) == {"01-02": "kind: interest"}
    assert [row.row for row in statement.rejected] == [8]
