using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class FleetResultTests
{
    private static List<string> WriteFiles(TemporaryFleetFolder folder, int hosts, int tests) =>
        [
            .. Enumerable
                .Range(1, hosts)
                .Select(host =>
                    folder.WriteFile(
                        $"sql{host}.jsonl",
                        string.Concat(CreateMessages(host, tests).Select(message => FleetMessageSerializer.Serialize(message) + "\n"))
                    )
                ),
        ];

    private static IEnumerable<MemberMessage> CreateMessages(int host, int tests)
    {
        var name = $"sql{host}";
        yield return new MemberMessage
        {
            State = MemberMessageKind.Hello,
            Member = name,
            Group = "g",
            Count = tests,
        };
        for (var test = 1; test <= tests; test++)
            yield return new MemberMessage
            {
                State = MemberMessageKind.Done,
                Member = name,
                Group = "g",
                Test = test,
                Result = JsonResultSerializer.SerializeToElement(CreateResult(host, test)),
            };
        yield return new MemberMessage
        {
            State = MemberMessageKind.End,
            Member = name,
            Group = "g",
        };
    }

    private static IoTestResult CreateResult(int host, int test)
    {
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            Workload = $"w{test}",
            IOPS = 100 * host,
            BandwidthMBps = host,
            DurationSeconds = 10,
            IOCount = 1000 * host,
            AverageLatencyMs = host,
            MaxLatencyMs = 5 * host,
            StartOffsetSeconds = 0.001 * host,
            Specification = new IoTestSpecification
            {
                WarmUp = TimeSpan.FromSeconds(1),
                Targets = [new IoTargetSpecification("/data/a.dat")],
            },
            Histogram = new IoHistogram
            {
                Buckets =
                [
                    new()
                    {
                        FromMs = 1,
                        ToMs = 2,
                        ReadCount = 900 * host,
                        Percent = 90,
                    },
                    new()
                    {
                        FromMs = 4,
                        ToMs = 5,
                        ReadCount = 100 * host,
                        Percent = 10,
                    },
                ],
            },
        };
        for (var second = 1; second <= 10; second++)
            result.Timeline.Add(
                new IoTimelinePoint
                {
                    Seconds = second,
                    IOPS = 100 * host,
                    MBps = host,
                    MaxLatencyMs = 3,
                }
            );
        return result;
    }

    [Fact]
    public void Trimmed_results_give_the_same_groups_as_complete_results()
    {
        using var folder = new TemporaryFleetFolder();
        var files = WriteFiles(folder, hosts: 12, tests: 2);
        var (whole, slim) = (FleetResult.ReadFiles(files), FleetResult.ReadFiles(files, keptWhole: 0));
        Assert.Equal(2, whole.Groups.Count);
        foreach (var (full, lean) in whole.Groups.Zip(slim.Groups))
        {
            Assert.Equal(
                (full.Summary, full.IOPS, full.P50Ms, full.P99Ms, full.CommonPercent, full.MedianIops),
                (lean.Summary, lean.IOPS, lean.P50Ms, lean.P99Ms, lean.CommonPercent, lean.MedianIops)
            );
            Assert.Equal(
                full.Histogram!.Buckets.Select(band => (band.FromMs, band.ReadCount, band.Percent)),
                lean.Histogram!.Buckets.Select(band => (band.FromMs, band.ReadCount, band.Percent))
            );
        }
        Assert.All(slim.Results, result => Assert.All(result.Timeline, point => Assert.Null(point.MaxLatencyMs)));
        // The saved results are complete and contain the hosts that ran together.
        var saved = slim.Whole.ToList();
        Assert.Equal(24, saved.Count);
        Assert.All(
            saved,
            result =>
                Assert.Equal(
                    (12, 3.0, "/data/a.dat"),
                    (result.GroupMembers.Count, result.Timeline[0].MaxLatencyMs!.Value, result.Specification!.Targets[0].Path)
                )
        );
    }

    [Fact]
    public void Member_files_are_read_in_any_encoding_and_with_extra_lines()
    {
        using var folder = new TemporaryFleetFolder();
        var text = File.ReadAllText(WriteFiles(folder, hosts: 1, tests: 1)[0]);
        var (utf16, marked) = (folder.GetPath("a.jsonl"), folder.GetPath("b.jsonl"));
        File.WriteAllText(utf16, text, System.Text.Encoding.Unicode);
        // A greeting of the host, a byte order mark, Windows line ends, and a truncated end.
        File.WriteAllText(
            marked,
            "Welcome!\r\n" + text.ReplaceLineEndings("\r\n") + "{\"state\":\"Done\",\"test\":2,\"result\":{\"io",
            new System.Text.UTF8Encoding(true)
        );
        foreach (var file in new[] { utf16, marked })
            Assert.Equal(100, Assert.Single(FleetResult.ReadFiles([file]).Groups).IOPS!.Value, 1e-6);
    }
}
