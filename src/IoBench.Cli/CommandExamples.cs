namespace IoBench.Cli;

/// <summary>Examples at the end of the help of each command, by the name of the command.</summary>
internal static class CommandExamples
{
    internal static readonly IReadOnlyDictionary<string, string[]> All = new Dictionary<string, string[]>
    {
        ["run"] =
        [
            @"iobench run T:\ --workload sql-server --report results.xlsx",
            @"iobench run T:\ --outstanding-io 1,2,4,8,16,32,64 --report depth.xlsx",
            @"iobench run --data-path D:\ --log-path L:\ --tempdb-path T:\",
            @"iobench run T:\ --workload canary --require ms-2005 --output {date}.json",
        ],
        ["verify"] =
        [
            @"iobench verify E:\ --file-size 10GB --write-percent 50 --duration 10m",
            @"iobench verify E:\iobench.dat --write-percent 0",
        ],
        ["drill"] = [@"iobench drill \\cluster\sql\ --duration 10m", @"iobench drill E:\ --until-key --limit 5s"],
        ["limit"] =
        [
            @"iobench limit D:\ --max-latency-ms 5",
            @"iobench limit L:\ --workload log-commit --max-latency-ms 2 --statistic p99",
        ],
        ["cap"] = [@"iobench cap D:\ --provisioned azure:P30", @"iobench cap D:\ E:\ --duration 60s"],
        ["commit"] =
        [
            "iobench commit /var/opt/mssql/data",
            @"iobench commit L:\ --report commit.xlsx",
            @"iobench commit L:\ --replica sql2:8434 --secret-file secret.txt --redo",
        ],
        ["where"] = ["iobench where /var/opt/mssql/data --report latency.html", @"iobench where D:\ --ab filter-on.cmd filter-off.cmd"],
        ["fleet"] =
        [
            "iobench fleet hosts.csv --workload sql-server --report fleet.xlsx",
            @"iobench fleet sql1,sql2 T:\ --duration 30s",
            "iobench fleet merge sql1.json sql2.json --report fleet.xlsx",
        ],
        ["merge"] = ["iobench fleet merge sql1.json sql2.json --report fleet.xlsx"],
        ["check"] = [@"iobench check T:\ L:\", "iobench check /var/opt/mssql/data --output check.json"],
        ["import"] = [@"iobench import D:\old --recurse --report old.xlsx", "iobench import old.txt --format csv"],
        ["report"] =
        [
            "iobench report results.json --report results.xlsx",
            "iobench report old.json new.json --label-from filename --report new.html",
        ],
        ["compare"] = ["iobench compare before.json after.json", "iobench compare before.json after.json --report change.xlsx"],
        ["test"] =
        [
            "iobench test results.json",
            "iobench test results.json --require ms-2005 --format json",
            "iobench test samples.csv --report files.xlsx",
        ],
        ["advise"] = ["iobench advise samples.csv --cloud azure", "iobench advise samples.csv --prices prices.csv"],
        ["saturation"] = ["iobench saturation depth.json"],
        ["history"] = [@"iobench history D:\nightly", @"iobench history D:\nightly --metric P99Ms --report trend.xlsx"],
        ["errorlog"] = [@"iobench errorlog D:\MSSQL\Log", "iobench errorlog ERRORLOG ERRORLOG.1 --report errorlog.html"],
        ["convert"] = ["iobench convert test.bat", "iobench convert profile.xml --format json"],
        ["workloads"] = ["iobench workloads", "iobench workloads log-commit"],
        ["rules"] = ["iobench rules", "iobench rules flash --format json"],
        ["remove"] = [@"iobench remove T:\"],
        ["replica"] = [@"iobench replica L:\ --listen 192.0.2.7:8434 --secret-file secret.txt"],
        ["witness"] = ["iobench witness --output E:\\witness.log --listen 192.0.2.7:8433"],
    };
}
