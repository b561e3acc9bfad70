using System.Text;
using Xunit.Abstractions;

namespace IoBench.Analysis.Tests;

/// <summary>Reads mutated file statistics and rule files, as <see cref="FuzzRun"/> says.</summary>
public sealed class FileFuzzTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    private const string Rules = """
        {
          "name": "own", "description": "Limits of the storage team.",
          "rules": [
            { "kind": "PageRead", "maxAverageLatencyMs": 1, "criticalFrom": 15, "bands": [ { "upTo": 1.5, "name": "within 1 ms" }, { "name": "above" } ] },
            { "kind": "LogCommit", "maxP99Ms": 3, "isIoBenchLimit": true }
          ]
        }
        """;

    public void Dispose() => File.Delete(_path);

    [Fact]
    public async Task File_statistics_and_rules_handle_mutated_inputs()
    {
        List<byte[]> statistics =
        [
            .. Directory.GetFiles(SampleFiles.GetPath("cases"), "filestats-*").Order(StringComparer.Ordinal).Select(File.ReadAllBytes),
        ];
        statistics.AddRange(statistics.ConvertAll(text => Encoding.Unicode.GetBytes("\uFEFF" + Encoding.UTF8.GetString(text))));
        List<byte[]> rules = [Encoding.UTF8.GetBytes(Rules)];
        List<byte[]> all = [.. statistics, .. rules];
        var readers = new[]
        {
            new FuzzReader(
                "file statistics",
                input => Read(input, () => CapturedWorkload.FromSnapshots(FileStatsSnapshot.LoadFile(_path)))
            ),
            new FuzzReader("rule file", input => Read(input, () => IoRuleSet.Find(_path))),
        };
        var run = new FuzzRun(output);
        await run.RunAll(seed =>
        {
            var isRules = seed % 8 == 0;
            run.TryInput(seed, new InputMutator(seed, wholeInOf: 2).Mutate(isRules ? rules : statistics, all), readers[isRules ? 1 : 0]);
        });
    }

    private void Read(byte[] input, Action read)
    {
        File.WriteAllBytes(_path, input);
        read();
    }
}
