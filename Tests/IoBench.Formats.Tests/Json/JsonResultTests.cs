using System.Text;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class JsonResultTests
{
    internal static string WriteJson(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.Json);
        return writer.ToString();
    }

    internal static List<IoTestResult> ReadJson(string text, Encoding? encoding = null) =>
        JsonFormat.Read(new MemoryStream(SqlioTestText.Encode(text, encoding ?? new UTF8Encoding(false))), "r.json").ToList();

    [Fact]
    public void JSON_round_trip_preserves_generated_results()
    {
        for (var seed = 0; seed < 60; seed++)
        {
            var generator = new ResultGenerator(seed);
            var results = new[] { generator.CreateResult(), generator.CreateResult(), generator.CreateResult() };
            var again = ReadJson(WriteJson(results));

            Assert.Equal(3, again.Count);
            for (var i = 0; i < 3; i++)
                DeepComparer.AssertEqual(results[i], again[i], $"seed {seed}");
        }
    }

    [Fact]
    public void JSON_round_trip_preserves_a_specification()
    {
        var result = new IoTestResult
        {
            Specification = new IoTestSpecification
            {
                Duration = TimeSpan.FromMilliseconds(1500),
                WarmUp = TimeSpan.FromSeconds(5),
                TimelineInterval = TimeSpan.FromTicks(1),
                Seed = ulong.MaxValue,
                Targets =
                [
                    new IoTargetSpecification("/t/a.dat")
                    {
                        Pattern = new IoPattern { WritePercent = 30, Distribution = [new(10, 5), new(0, 95)] },
                    },
                ],
                NullDevice = new NullDeviceModel(4, 0.5, NullServiceTime.Bimodal, 10, 0.1),
            },
        };

        var specification = Assert.Single(ReadJson(WriteJson(result))).Specification!;
        DeepComparer.AssertEqual(result.Specification, specification);
        Assert.Equal(TimeSpan.FromSeconds(1.5), specification.Duration);
    }

    [Fact]
    public void Flat_properties_are_always_written_and_nested_ones_only_if_set()
    {
        using var document = JsonDocument.Parse(WriteJson(new IoTestResult { IOPS = 1.5, Label = "Größe <ä>" }));
        var names = document.RootElement[0].EnumerateObject().Select(p => p.Name).ToList();

        foreach (
            var name in (string[])
                [
                    "source",
                    "sourceFile",
                    "status",
                    "path",
                    "fileSizeMB",
                    "threadCount",
                    "outstandingIO",
                    "totalOutstanding",
                    "blockSizeKB",
                    "writePercent",
                    "ioPattern",
                    "bandwidthMBps",
                    "iops",
                    "averageLatencyMs",
                    "p50Ms",
                    "p999Ms",
                    "readP99Ms",
                    "cpuUsPerIO",
                    "gcCount",
                    "littlesLawLatencyMs",
                    "warnings",
                ]
        )
            Assert.Contains(name, names);
        foreach (
            var name in (string[])
                ["specification", "targets", "threads", "histogram", "percentiles", "timeline", "processors", "host", "toolDetails"]
        )
            Assert.DoesNotContain(name, names);
        Assert.Equal(JsonValueKind.Null, document.RootElement[0].GetProperty("p50Ms").ValueKind);
        Assert.Equal("IoBench", document.RootElement[0].GetProperty("source").GetString());
    }

    [Fact]
    public void JSON_text_is_not_escaped_unnecessarily() =>
        Assert.Contains("\"label\": \"Größe <ä> 'x'\"", WriteJson(new IoTestResult { Label = "Größe <ä> 'x'" }), StringComparison.Ordinal);

    [Fact]
    public void No_results_are_written_as_an_empty_array()
    {
        Assert.Equal("[]\n", WriteJson());
        Assert.Empty(ReadJson("[]"));
    }

    [Theory]
    [InlineData("{\"iops\": 5, \"bandwidthMBps\": 1}")]
    [InlineData("{\"iops\": 5}\n{\"iops\": 6}")]
    [InlineData(" [ {\"IOPS\": 5} , {\"Iops\": 6, \"somethingNew\": {\"a\": [1]}} ] ")]
    public void Single_objects_JSON_lines_and_other_casing_are_read(string text) => Assert.Equal(5, ReadJson(text)[0].IOPS);

    [Fact]
    public void Null_lists_are_read_as_empty_lists()
    {
        var result = Assert.Single(ReadJson("[{\"iops\": 1, \"warnings\": null, \"targets\": null, \"host\": null}]"));

        Assert.Empty(result.Warnings);
        Assert.Empty(result.Targets);
        Assert.Empty(result.Host);
    }

    [Fact]
    public void Interval_latencies_are_written_as_one_line_of_buckets()
    {
        var result = new IoTestResult
        {
            Timeline =
            [
                new()
                {
                    Seconds = 1,
                    Latencies = new()
                    {
                        P50Ms = 1.5,
                        Reads = [12, 3, 128, 4_000_000_000],
                        Writes = [200, 1],
                    },
                },
                new() { Seconds = 2 },
            ],
        };
        var text = WriteJson(result);
        Assert.Contains("\"reads\": [12,3,128,4000000000],\n", text, StringComparison.Ordinal);
        var again = Assert.Single(ReadJson(text));
        DeepComparer.AssertEqual(result, again, "intervals");
        Assert.Null(again.Timeline[1].Latencies);
        Assert.Equal(
            [(96e-6, 3, 0), (2.097152, 4_000_000_000, 0), (1073.741824, 0, 1)],
            again.Timeline[0].Latencies!.ToHistogram().Buckets.Select(b => (b.FromMs, b.ReadCount!.Value, b.WriteCount!.Value))
        );
    }

    [Fact]
    public void Missing_or_invalid_interval_latencies_are_read()
    {
        Assert.Null(Assert.Single(ReadJson("[{\"iops\": 1, \"timeline\": [{\"seconds\": 1, \"iops\": 5}]}]")).Timeline[0].Latencies);
        var latencies = Assert
            .Single(
                ReadJson(
                    "[{\"iops\": 1, \"timeline\": [{\"latencies\": {\"reads\": [-1, 5, 272, 1, 9, -3, 5, 9223372036854775807, 3, 2, 7], \"writes\": null}}]}]"
                )
            )
            .Timeline[0]
            .Latencies!;
        Assert.Equal(
            (24e-6, 2L, 100.0),
            Assert.Single(latencies.ToHistogram().Buckets) is var bucket
                ? (bucket.FromMs, bucket.ReadCount!.Value, bucket.Percent)
                : default
        );
        Assert.Equal(
            "IoBench.InvalidJson",
            Assert.Throws<IoBenchException>(() => ReadJson("[{\"timeline\": [{\"latencies\": {\"reads\": [1.5, \"x\"]}}]}]")).ErrorId
        );
    }

    [Theory]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    [InlineData("utf-8")]
    public void JSON_is_read_in_PowerShell_encodings(string encoding) =>
        Assert.Equal("ü", Assert.Single(ReadJson(WriteJson(new IoTestResult { Label = "ü" }), Encoding.GetEncoding(encoding))).Label);

    [Theory]
    [InlineData("[\n{\"iops\": 5},\n{\"iops\":", "r.json line 3: the text ends within a result.")]
    [InlineData("[\n{\"iops\": \"fast\"}]", "r.json line 2: not a result (iops).")]
    [InlineData("[\n{\n\"iops\": 1e999}]", "r.json line 3: not a result (iops).")]
    [InlineData("[1, 2]", "r.json line 1: the text is not a list of results, because it does not have a JSON object in braces here.")]
    [InlineData("[{\"iops\": 5 5}]", "r.json line 1: not a result.")]
    [InlineData("[{}]]{", "r.json line 1: the text is not a list of results, because it does not have a JSON object in braces here.")]
    public void Invalid_JSON_throws_with_the_line_number(string text, string message)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadJson(text));

        Assert.Equal(("IoBench.InvalidJson", message), (error.ErrorId, error.Message));
    }

    [Fact]
    public void Results_before_an_invalid_JSON_result_are_returned()
    {
        using var results = JsonFormat.Read(new MemoryStream("[{\"iops\": 5}, {\"iops\": x}]"u8.ToArray()), "r.json").GetEnumerator();

        Assert.True(results.MoveNext());
        Assert.Equal(5, results.Current.IOPS);
        Assert.Throws<IoBenchException>(() => results.MoveNext());
    }

    [Fact]
    public void NaN_cannot_be_written() =>
        Assert.Equal(
            "IoBench.InvalidNumber",
            Assert.Throws<IoBenchException>(() => WriteJson(new IoTestResult { IOPS = double.NaN })).ErrorId
        );

    [Theory]
    [InlineData("[null]")]
    [InlineData("[{\"specification\":null}]")]
    public void Plan_with_a_null_test_throws(string plan) =>
        Assert.Equal(
            ErrorIds.InvalidJson,
            Assert.Throws<IoBenchException>(() => JsonResultSerializer.DeserializePlan(plan, "plan.json")).ErrorId
        );

    [Fact]
    public void Slowest_IOs_and_stalls_are_written_as_one_line_each()
    {
        var result = new IoTestResult
        {
            SlowestIOs =
            [
                .. Enumerable
                    .Range(1, IoSlowIO.MaxCount)
                    .Select(number => new IoSlowIO
                    {
                        Seconds = number,
                        LatencyMs = 1.5 * number,
                        Kind = IoRequestKind.Write,
                        Offset = 8192L * number,
                        Size = 8192,
                        InFlight = 31,
                        Thread = 2,
                    }),
            ],
            Stalls =
            [
                new() { Seconds = 1.25, LengthSeconds = 0.3 },
                new()
                {
                    Seconds = 8.25,
                    LengthSeconds = 0.3,
                    Target = 1,
                },
            ],
        };
        var text = WriteJson(result);
        Assert.Equal(
            1,
            text.Split('\n')
                .Count(line =>
                    line.Contains(
                        "\"seconds\":1,\"latencyMs\":1.5,\"kind\":\"Write\",\"offset\":8192,\"size\":8192,\"inFlight\":31",
                        StringComparison.Ordinal
                    )
                )
        );
        Assert.True(text.Length < 16_000 + WriteJson(new IoTestResult()).Length, "a hundred of them stay small");
        var again = Assert.Single(ReadJson(text));
        Assert.Equal(
            result.SlowestIOs.Select(io => (io.Seconds, io.LatencyMs, io.Kind, io.Offset, io.Size, io.InFlight, io.Thread)),
            again.SlowestIOs.Select(io => (io.Seconds, io.LatencyMs, io.Kind, io.Offset, io.Size, io.InFlight, io.Thread))
        );
        Assert.Equal([null, 1], again.Stalls.Select(stall => stall.Target));
        Assert.DoesNotContain("slowestIOs", WriteJson(new IoTestResult()), StringComparison.Ordinal);
    }

    [Fact]
    public void Earlier_name_of_the_stalls_is_read()
    {
        var text = WriteJson(new IoTestResult { Stalls = [new IoStall { Seconds = 2, LengthSeconds = 0.5 }] });
        var old = text.Replace("\"stalls\"", "\"silences\"", StringComparison.Ordinal);
        Assert.NotEqual(text, old);
        Assert.Equal([(2.0, 0.5)], Assert.Single(ReadJson(old)).Stalls.Select(stall => (stall.Seconds, stall.LengthSeconds)));
        Assert.Equal(text, WriteJson(Assert.Single(ReadJson(old))));
        Assert.Empty(
            Assert.Single(ReadJson(old.Replace("\"silences\": [", "\"silences\": null, \"x\": [", StringComparison.Ordinal))).Stalls
        );
    }
}
