using System.Text.Json;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Runs the checks once on a real disk for all tests.</summary>
public sealed class HostCheckFixture : IDisposable
{
    public HostCheckFixture()
    {
        Folder = Directory
            .CreateDirectory(Path.Combine(SampleFiles.RepositoryRoot, "artifacts", "check-tests", Guid.NewGuid().ToString("N")))
            .FullName;
        Report = HostCheckRunner.Run([Folder], Told.Add, CancellationToken.None);
        using var json = new MemoryStream();
        HostCheckReport.Write(json, Report);
        Json = System.Text.Encoding.UTF8.GetString(json.ToArray());
    }

    internal string Folder { get; }

    internal List<HostCheck> Told { get; } = [];

    internal HostCheckReport Report { get; }

    internal string Json { get; }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}

public class HostCheckTests(HostCheckFixture made) : IClassFixture<HostCheckFixture>
{
    [Fact]
    public void Every_check_runs_and_is_reported_in_order()
    {
        string[] expected =
        [
            "Backend",
            "Priority",
            "Limits",
            "Clock",
            "Pace",
            "OwnCost",
            "PageCache",
            "Capacity",
            "FileSystem",
            "Sectors",
            "Partition",
            "Flags",
            "Alignment",
            "Unbuffered",
            "Durability",
            "CommitSettings",
        ];
        Assert.Equal(expected.Select(code => FindingCodes.CheckPrefix + code), made.Report.Checks.Select(check => check.Finding.Code));
        Assert.Equal(made.Report.Checks, made.Told);
        Assert.All(made.Report.Checks, check => Assert.EndsWith(".", check.Found, StringComparison.Ordinal));
        Assert.All(made.Report.Checks, check => Assert.False(check.WhatToDo?.EndsWith('.') == true));
    }

    [LinuxFact]
    public void Buffering_checks_do_not_fail()
    {
        foreach (var code in new[] { "Flags", "Alignment", "Unbuffered" })
        {
            var check = made.Report.Checks.Single(c => c.Finding.Code == FindingCodes.CheckPrefix + code);
            Assert.True(check.Outcome != VerdictOutcome.Fail, check.ToString());
        }
    }

    [Fact]
    public void CPU_cost_without_a_device_is_lower_than_with_memory()
    {
        double Cost(string code) =>
            made.Report.Checks.Single(c => c.Finding.Code == FindingCodes.CheckPrefix + code).Finding.Evidence[0].Value!.Value;
        Assert.True(Cost("OwnCost") < Cost("PageCache"));
        Assert.Equal(1e6 / Cost("PageCache"), made.Report.IopsPerCore!.Value, 1e-6);
        var capacity = made.Report.Checks.Single(c => c.Finding.Code == FindingCodes.CheckPrefix + "Capacity");
        if (capacity.Finding.Evidence[1].Value is { } storage)
            Assert.Contains(
                FormattableString.Invariant($"this storage reached {100 * storage / made.Report.IopsPerCore:0}% of this rate"),
                capacity.Found,
                StringComparison.Ordinal
            );
    }

    [Fact]
    public void Self_test_leaves_no_files() => Assert.Empty(Directory.EnumerateFileSystemEntries(made.Folder));

    [Fact]
    public void Report_file_contains_no_host_user_or_path()
    {
        Assert.DoesNotContain(made.Folder, made.Json, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain(
            "iobench-check.dat",
            made.Json.Replace("Look at iobench-check.dat", "", StringComparison.Ordinal),
            StringComparison.OrdinalIgnoreCase
        );
        string[] names = [Environment.MachineName, Environment.UserName, Environment.UserDomainName];
        foreach (var text in GetTexts(JsonDocument.Parse(made.Json).RootElement))
        {
            Assert.DoesNotContain(
                names.Where(name => name.Length > 2 && name != "root"),
                name => text.Split(' ', ',', '.', ':', '(', ')').Contains(name, StringComparer.OrdinalIgnoreCase)
            );
            // System paths are allowed, and so is text that is not a path, such as "I/O" or "MiB/s".
            Assert.DoesNotMatch(@"(?<![\w/])/(?!(proc|sys|dev|etc)/)\w+/\w|[A-Za-z]:\\|\\\\\w", text);
        }
    }

    private static IEnumerable<string> GetTexts(JsonElement element) =>
        element.ValueKind switch
        {
            JsonValueKind.Object => element.EnumerateObject().SelectMany(property => GetTexts(property.Value).Prepend(property.Name)),
            JsonValueKind.Array => element.EnumerateArray().SelectMany(GetTexts),
            JsonValueKind.String => [element.GetString()!],
            _ => [],
        };

    [Fact]
    public void Report_file_contains_the_results_of_the_checks()
    {
        var json = JsonDocument.Parse(made.Json).RootElement;
        Assert.Equal(made.Report.Count(VerdictOutcome.Pass), json.GetProperty("passed").GetInt32());
        Assert.Equal(
            made.Report.Checks.Select(c => c.Found),
            json.GetProperty("checks").EnumerateArray().Select(c => c.GetProperty("found").GetString())
        );
        Assert.True(json.GetProperty("iopsPerCore").GetDouble() > 0);
    }

    [Fact]
    public void Missing_folder_throws() =>
        Assert.Equal(
            "IoBench.DirectoryNotFound",
            Assert
                .Throws<IoBenchException>(() => HostCheckRunner.Run([Path.Combine(made.Folder, "none")], null, CancellationToken.None))
                .ErrorId
        );

    [Fact]
    public void Existing_file_that_IoBench_did_not_create_is_unchanged()
    {
        var folder = Directory.CreateDirectory(Path.Combine(made.Folder, "foreign")).FullName;
        var file = Path.Combine(folder, "iobench-check.dat");
        File.WriteAllText(file, "a letter");
        Assert.Equal(
            "IoBench.ForeignFile",
            Assert.Throws<IoBenchException>(() => HostCheckRunner.Run([folder], null, CancellationToken.None)).ErrorId
        );
        Assert.Equal("a letter", File.ReadAllText(file));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void Canceled_self_test_removes_its_file()
    {
        var folder = Directory.CreateDirectory(Path.Combine(made.Folder, "cancelled")).FullName;
        using var cancel = new CancellationTokenSource();
        Assert.ThrowsAny<OperationCanceledException>(() => HostCheckRunner.Run([folder], _ => cancel.Cancel(), cancel.Token));
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder));
        Directory.Delete(folder);
    }

    [Fact]
    public void One_failed_check_fails_the_self_test()
    {
        var report = made.Report with
        {
            Checks =
            [
                HostCheck.Pass("good.").WithName("A", "a"),
                HostCheck.NotRated("unknown.").WithName("B", "b"),
                HostCheck.Fail("bad.", "Do it").WithName("C", "c"),
            ],
        };
        Assert.False(report.IsPassed);
        Assert.Equal("3 checks: 1 passed, 1 failed, 1 not rated.", report.Summary);
        Assert.Equal(
            ["PASS  a: good.", "NOT RATED  b: unknown.", "FAIL  c: bad. To do: Do it."],
            report.Checks.Select(check => check.ToString())
        );
        Assert.True((report with { Checks = [report.Checks[0], report.Checks[1]] }).IsPassed);
    }
}
