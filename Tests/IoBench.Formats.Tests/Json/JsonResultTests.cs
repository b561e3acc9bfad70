using System.Text;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class JsonResultTests
{
    internal static string Write(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.Json);
        return writer.ToString();
    }

    internal static List<IoTestResult> Read(string text, Encoding? encoding = null) =>
        JsonResultReader.Read(new MemoryStream(SqlioText.Encode(text, encoding ?? new UTF8Encoding(false))), "r.json").ToList();

    [Fact]
    public void Generated_results_come_back_the_same()
    {
        for (var seed = 0; seed < 60; seed++)
        {
            var generator = new ResultGenerator(seed);
            var results = new[] { generator.Result(), generator.Result(), generator.Result() };
            var again = Read(Write(results));

            Assert.Equal(3, again.Count);
            for (var i = 0; i < 3; i++)
                Deep.Equal(results[i], again[i], $"seed {seed}");
        }
    }

    [Fact]
    public void A_specification_with_its_durations_comes_back_the_same()
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

        var specification = Assert.Single(Read(Write(result))).Specification!;
        Deep.Equal(result.Specification, specification);
        Assert.Equal(TimeSpan.FromSeconds(1.5), specification.Duration);
    }

    [Fact]
    public void Flat_properties_are_always_there_and_nested_ones_only_when_filled()
    {
        using var document = JsonDocument.Parse(Write(new IoTestResult { IOPS = 1.5, Label = "Größe <ä>" }));
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
    public void Text_stays_readable() =>
        Assert.Contains("\"label\": \"Größe <ä> 'x'\"", Write(new IoTestResult { Label = "Größe <ä> 'x'" }), StringComparison.Ordinal);

    [Fact]
    public void No_results_are_an_empty_array()
    {
        Assert.Equal("[]\n", Write());
        Assert.Empty(Read("[]"));
    }

    [Theory]
    [InlineData("{\"iops\": 5, \"bandwidthMBps\": 1}")]
    [InlineData("{\"iops\": 5}\n{\"iops\": 6}")]
    [InlineData(" [ {\"IOPS\": 5} , {\"Iops\": 6, \"somethingNew\": {\"a\": [1]}} ] ")]
    public void One_object_and_objects_a_line_and_other_casing_are_read(string text) => Assert.Equal(5, Read(text)[0].IOPS);

    [Fact]
    public void Null_lists_are_empty_ones()
    {
        var result = Assert.Single(Read("[{\"iops\": 1, \"warnings\": null, \"targets\": null, \"host\": null}]"));

        Assert.Empty(result.Warnings);
        Assert.Empty(result.Targets);
        Assert.Empty(result.Host);
    }

    [Fact]
    public void Latencies_of_an_interval_are_a_line_of_buckets_and_counts()
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
        var text = Write(result);
        Assert.Contains("\"reads\": [12,3,128,4000000000],\n", text, StringComparison.Ordinal);
        var again = Assert.Single(Read(text));
        Deep.Equal(result, again, "intervals");
        Assert.Null(again.Timeline[1].Latencies);
        Assert.Equal(
            [(96e-6, 3, 0), (2.097152, 4_000_000_000, 0), (1073.741824, 0, 1)],
            again.Timeline[0].Latencies!.ToHistogram().Buckets.Select(b => (b.FromMs, b.ReadCount!.Value, b.WriteCount!.Value))
        );
    }

    [Fact]
    public void Files_of_earlier_versions_have_no_latencies_by_interval_and_broken_ones_no_buckets()
    {
        Assert.Null(Assert.Single(Read("[{\"iops\": 1, \"timeline\": [{\"seconds\": 1, \"iops\": 5}]}]")).Timeline[0].Latencies);
        var latencies = Assert
            .Single(
                Read(
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
            Assert.Throws<IoBenchException>(() => Read("[{\"timeline\": [{\"latencies\": {\"reads\": [1.5, \"x\"]}}]}]")).ErrorId
        );
    }

    [Theory]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    [InlineData("utf-8")]
    public void PowerShells_encodings(string encoding) =>
        Assert.Equal("ü", Assert.Single(Read(Write(new IoTestResult { Label = "ü" }), Encoding.GetEncoding(encoding))).Label);

    [Theory]
    [InlineData("[\n{\"iops\": 5},\n{\"iops\":", "r.json line 3: the text ends within a result.")]
    [InlineData("[\n{\"iops\": \"fast\"}]", "r.json line 2: not a result (iops).")]
    [InlineData("[\n{\n\"iops\": 1e999}]", "r.json line 3: not a result (iops).")]
    [InlineData("[1, 2]", "r.json line 1: not a list of results: an object in braces is expected here.")]
    [InlineData("[{\"iops\": 5 5}]", "r.json line 1: not a result.")]
    [InlineData("[{}]]{", "r.json line 1: not a list of results: an object in braces is expected here.")]
    public void Broken_JSON_is_told_with_its_line(string text, string message)
    {
        var error = Assert.Throws<IoBenchException>(() => Read(text));

        Assert.Equal(("IoBench.InvalidJson", message), (error.ErrorId, error.Message));
    }

    [Fact]
    public void Results_before_a_broken_one_are_given()
    {
        using var results = JsonResultReader.Read(new MemoryStream("[{\"iops\": 5}, {\"iops\": x}]"u8.ToArray()), "r.json").GetEnumerator();

        Assert.True(results.MoveNext());
        Assert.Equal(5, results.Current.IOPS);
        Assert.Throws<IoBenchException>(() => results.MoveNext());
    }

    [Fact]
    public void A_number_that_JSON_has_not_is_refused() =>
        Assert.Equal("IoBench.InvalidNumber", Assert.Throws<IoBenchException>(() => Write(new IoTestResult { IOPS = double.NaN })).ErrorId);

    [Theory]
    [InlineData("[null]")]
    [InlineData("[{\"specification\":null}]")]
    public void Null_is_no_test(string plan) =>
        Assert.Equal(ErrorIds.InvalidJson, Assert.Throws<IoBenchException>(() => JsonResultText.ReadPlan(plan, "plan.json")).ErrorId);

    [Fact]
    public void The_slowest_IOs_and_silences_are_a_line_each_and_come_back()
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
            Silences =
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
        var text = Write(result);
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
        Assert.True(text.Length < 16_000 + Write(new IoTestResult()).Length, "a hundred of them stay small");
        var again = Assert.Single(Read(text));
        Assert.Equal(
            result.SlowestIOs.Select(io => (io.Seconds, io.LatencyMs, io.Kind, io.Offset, io.Size, io.InFlight, io.Thread)),
            again.SlowestIOs.Select(io => (io.Seconds, io.LatencyMs, io.Kind, io.Offset, io.Size, io.InFlight, io.Thread))
        );
        Assert.Equal([null, 1], again.Silences.Select(silence => silence.Target));
        Assert.DoesNotContain("slowestIOs", Write(new IoTestResult()), StringComparison.Ordinal);
    }
}
