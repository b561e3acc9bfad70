using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class ResultValidatorTests : CreatedFolderTestBase
{
    private static IoTestResult CreateResult() =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = "log-commit",
            LoadModel = IoLoadModel.Closed,
            TotalOutstanding = 1,
            BlockSizeKB = 8,
            FileSizeMB = 20480,
            DurationSeconds = 30,
            IOCount = 30000,
            IOPS = 1000,
            BandwidthMBps = 7.8125,
            AverageLatencyMs = 1,
            P99Ms = 2,
            MaxLatencyMs = 3,
            Totals = new()
            {
                Read = new() { IOCount = 30000, AverageLatencyMs = 1 },
            },
            Percentiles = [new() { Percent = 99, TotalMs = 2 }],
            Timeline = [new() { Seconds = 1, IOPS = 1000 }],
            SlowestIOs = [new() { Seconds = -0.5, LatencyMs = 3 }],
            Stalls = [new() { Seconds = 1, LengthSeconds = 2 }],
            Processors = [new() { UsagePercent = 10 }],
            Histogram = new()
            {
                Buckets =
                [
                    new()
                    {
                        FromMs = 1,
                        ReadCount = 30000,
                        Percent = 100,
                    },
                ],
            },
            Threads = [new() { Read = new() { AverageLatencyMs = 1 } }],
            Targets =
            [
                new()
                {
                    Path = "t.dat",
                    Read = new() { AverageLatencyMs = 1 },
                },
            ],
            Integrity = new() { ReadCount = 5 },
        };

    private (List<IoTestResult> Results, List<string> Notes) ReadText(string name, string text)
    {
        var path = Path.Combine(Folder, name);
        File.WriteAllText(path, text, new UTF8Encoding(false));
        var file = Assert.Single(ResultReader.ReadFiles([path]));
        return ([.. file.Results], [.. file.Notes]);
    }

    private static string ChangeJson(Action<JsonObject> change)
    {
        var json = JsonNode.Parse(JsonResultTests.WriteJson(CreateResult()))!.AsArray();
        change(json[0]!.AsObject());
        return json.ToJsonString();
    }

    [Theory]
    [InlineData("averageLatencyMs", "-1.1")]
    [InlineData("averageLatencyMs", "0")]
    [InlineData("averageLatencyMs", "5e-324")]
    [InlineData("averageLatencyMs", "1e-9")]
    [InlineData("p99Ms", "1.797e308")]
    [InlineData("iops", "-1")]
    [InlineData("iops", "4e-320")]
    [InlineData("bandwidthMBps", "1e300")]
    [InlineData("totalOutstanding", "-4")]
    [InlineData("totalOutstanding", "0")]
    [InlineData("blockSizeKB", "0")]
    [InlineData("writePercent", "101")]
    [InlineData("ioCount", "-1")]
    public void Impossible_number_is_null_with_a_warning(string property, string number)
    {
        var (results, notes) = ReadText("r.json", ChangeJson(json => json[property] = JsonNode.Parse(number)));

        var result = Assert.Single(results);
        var metric = MetricCatalog.Get(property);
        Assert.Null(metric.Value(result));
        Assert.True(result.HasWarning(WarningCodes.ImpossibleValue));
        var shown = double.Parse(number, CultureInfo.InvariantCulture).ToString("G6", CultureInfo.InvariantCulture);
        Assert.Contains($"{metric.Name} {shown}", Assert.Single(result.Warnings), StringComparison.Ordinal);
        Assert.StartsWith(Path.Combine(Folder, "r.json"), Assert.Single(notes), StringComparison.Ordinal);
        Assert.Contains($"{metric.Name} {shown}", notes[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("percentiles", "percent", -1)]
    [InlineData("percentiles", "totalMs", 1e300)]
    [InlineData("timeline", "seconds", 1e300)]
    [InlineData("timeline", "iops", -1)]
    [InlineData("slowestIOs", "latencyMs", -1)]
    [InlineData("stalls", "lengthSeconds", 1e300)]
    [InlineData("processors", "usagePercent", -1)]
    public void List_with_an_impossible_number_is_removed(string list, string property, double number)
    {
        var (results, notes) = ReadText("r.json", ChangeJson(json => json[list]![0]![property] = number));
        var result = Assert.Single(results);
        Assert.Empty((System.Collections.ICollection)typeof(IoTestResult).GetProperty(GetName(list))!.GetValue(result)!);
        Assert.Contains(GetName(list), Assert.Single(result.Warnings), StringComparison.Ordinal);
        Assert.Single(notes);
    }

    private static string GetName(string json) => char.ToUpperInvariant(json[0]) + json[1..];

    [Fact]
    public void Impossible_numbers_of_parts_are_removed()
    {
        var (results, _) = ReadText(
            "r.json",
            ChangeJson(json =>
            {
                json["totals"]!["read"]!["averageLatencyMs"] = -1;
                json["targets"]![0]!["read"]!["averageLatencyMs"] = 0;
                json["threads"]![0]!["read"]!["averageLatencyMs"] = 1e300;
                json["histogram"]!["buckets"]![0]!["readCount"] = -1;
                json["integrity"]!["errorCount"] = -1;
            })
        );
        var result = Assert.Single(results);
        Assert.Null(result.Totals!.Read.AverageLatencyMs);
        Assert.Null(result.Targets[0].Read.AverageLatencyMs);
        Assert.Empty(result.Threads);
        Assert.Null(result.Histogram);
        Assert.Null(result.Integrity);
        Assert.Equal(
            "IoBench ignores impossible values: Totals.Read.AverageLatencyMs -1, Targets.Read.AverageLatencyMs 0, Threads, Histogram, Integrity.",
            Assert.Single(result.Warnings)
        );
    }

    [Fact]
    public void Throughput_and_average_latency_require_IOs()
    {
        var (results, _) = ReadText("r.json", ChangeJson(json => json["ioCount"] = 0));
        var result = Assert.Single(results);
        Assert.Null(result.IOPS);
        Assert.Null(result.BandwidthMBps);
        Assert.Null(result.AverageLatencyMs);
    }

    [Fact]
    public void Possible_numbers_have_no_warning()
    {
        var (results, notes) = ReadText("r.json", JsonResultTests.WriteJson(CreateResult()));
        Assert.Empty(Assert.Single(results).Warnings);
        Assert.Empty(notes);
    }

    [Theory]
    [InlineData("Sqlio", "", 0)]
    [InlineData("Fio", "", 1)]
    [InlineData("IoBench", "Null", 0)]
    [InlineData("IoBench", "IoUring", 1)]
    public void Zero_latency_requires_whole_milliseconds_or_a_model(string source, string backend, int warnings)
    {
        var result = CreateResult();
        (result.Source, result.Backend, result.AverageLatencyMs) = (source, backend, 0);
        var (results, _) = ReadText("r.json", JsonResultTests.WriteJson(result));
        Assert.Equal(warnings, Assert.Single(results).Warnings.Count);
    }

    [Fact]
    public void Impossible_numbers_of_CSV_are_removed()
    {
        var result = CreateResult();
        result.AverageLatencyMs = -1;
        using var csv = new StringWriter();
        ResultWriter.Write(csv, [result], ResultFormat.Csv);
        AssertRemoved("r.csv", csv.ToString());
    }

    private void AssertRemoved(string name, string text)
    {
        var (results, notes) = ReadText(name, text);
        Assert.Contains(results, result => result.HasWarning(WarningCodes.ImpossibleValue));
        Assert.Contains(notes, note => note.Contains("impossible values", StringComparison.Ordinal));
    }

    [Fact]
    public void Samples_of_all_tools_have_only_possible_numbers()
    {
        var published = SampleFiles.FindPublished("SOURCES.md") is { } sources ? Path.GetDirectoryName(sources) : null;
        foreach (
            var path in new[] { SampleFiles.GetPath(), published }
                .OfType<string>()
                .SelectMany(folder => Directory.GetFiles(folder, "*", SearchOption.AllDirectories))
        )
        {
            if (ResultReader.DetectFormat(path) is null)
                continue;
            List<IoTestResult> results = [];
            try
            {
                results.AddRange(ResultReader.ReadFile(path));
            }
            catch (IoBenchException)
            {
                // Some samples are damaged on purpose; the results before the damage count.
            }
            Assert.All(
                results,
                result => Assert.False(result.HasWarning(WarningCodes.ImpossibleValue), $"{path}: {result.Warnings.LastOrDefault()}")
            );
        }
    }

    [Fact]
    public void History_line_with_impossible_numbers_is_named()
    {
        var line = JsonNode.Parse(ChangeJson(json => json["averageLatencyMs"] = -1))![0]!.ToJsonString();
        var path = Path.Combine(Folder, "h.jsonl");
        File.WriteAllText(path, $"{line}\n{{\"iops\": 1, \"targets\": [null]}}\n{{\"iops\": 1e999}}\n");
        List<string> said = [];

        Assert.Null(Assert.Single(JsonFormat.ReadLineFile(path, said.Add)).AverageLatencyMs);
        Assert.Equal(3, said.Count);
        Assert.StartsWith($"{path} line 1: IoBench ignores impossible values: AverageLatencyMs -1", said[0], StringComparison.Ordinal);
        Assert.StartsWith($"{path} line 2 ", said[1], StringComparison.Ordinal);
        Assert.StartsWith($"{path} line 3 ", said[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Result_of_a_fleet_member_is_validated()
    {
        var line = JsonNode.Parse(ChangeJson(json => json["p99Ms"] = 1e300))![0]!.ToJsonString();
        Assert.Null(JsonResultSerializer.DeserializeResult(Encoding.UTF8.GetBytes(line)).P99Ms);
    }

    [Theory]
    [InlineData("targets")]
    [InlineData("threads")]
    [InlineData("timeline")]
    [InlineData("percentiles")]
    [InlineData("slowestIOs")]
    [InlineData("warnings")]
    [InlineData("processors")]
    public void Null_in_a_list_is_not_a_result(string list)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadText("r.json", ChangeJson(json => json[list] = new JsonArray([null]))));
        Assert.Equal(ErrorIds.InvalidJson, error.ErrorId);
        Assert.Contains(list, error.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Number_that_is_no_enumeration_value_is_not_a_result()
    {
        var error = Assert.Throws<IoBenchException>(() => ReadText("r.json", ChangeJson(json => json["operation"] = 77)));
        Assert.Equal(ErrorIds.InvalidJson, error.ErrorId);
    }

    [Theory]
    [InlineData("""[{"targets":[null]}]""")]
    [InlineData("""[{"targets":[{"path":"a","pattern":{"distribution":[null]}}]}]""")]
    [InlineData("""[null]""")]
    public void Null_in_a_list_of_a_specification_is_an_error(string plan)
    {
        var error = Assert.Throws<IoBenchException>(() => JsonResultSerializer.DeserializePlan(plan, "p.json"));
        Assert.Equal(ErrorIds.InvalidJson, error.ErrorId);
    }

    [Fact]
    public void Null_path_of_a_specification_is_an_empty_path() =>
        Assert.Equal("", JsonResultSerializer.DeserializePlan("""[{"targets":[{"path":null}]}]""", "p.json")[0].Targets[0].Path);
}
