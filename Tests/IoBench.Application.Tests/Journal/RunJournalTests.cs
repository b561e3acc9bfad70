using System.Runtime.Versioning;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class RunJournalTests : IDisposable
{
    private readonly SuiteFolder _folder = new();
    private readonly List<IoWarning> _warnings = [];

    private string Folder => _folder.File("state");

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification Test(int outstanding) =>
        new() { Targets = [new IoTargetSpecification("t.dat")], OutstandingIO = outstanding };

    private static IoTestResult Result(int outstanding) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            OutstandingIO = outstanding,
            IOPS = 1,
            Specification = Test(outstanding),
        };

    private RunJournal Begin(params IoTestResult[] earlier) => RunJournal.Begin(Folder, _warnings.Add, earlier)!;

    private int?[] Last() => [.. ResultReader.ReadFile(RunJournal.Last(Folder)).Select(r => r.OutstandingIO)];

    [Fact]
    public void The_last_run_is_kept_and_the_one_before_it_goes()
    {
        using (var first = Begin())
            first.Add(Result(1));
        Assert.Equal([1], Last());
        using (var second = Begin())
        {
            // A journal without results does not replace another one.
            Assert.Equal([1], Last());
            second.Add(Result(2));
            Assert.Equal([2], Last());
            second.Add(Result(3));
        }
        Assert.Equal([2, 3], Last());
        Assert.Single(Directory.GetFiles(Folder));
        using (Begin()) { }
        Assert.Equal([2, 3], Last());
        Assert.Empty(_warnings);
    }

    [Fact]
    public void Two_runs_at_one_moment_do_not_meet()
    {
        using var first = Begin();
        first.Add(Result(1));
        using (var second = Begin())
        {
            second.Add(Result(2));
            first.Add(Result(3));
            Assert.Equal(2, Directory.GetFiles(Folder).Length);
            Assert.Equal([1, 3], ResultReader.ReadFile(first.Path).Select(r => r.OutstandingIO!.Value));
        }
        Assert.Equal([2], Last());
    }

    [Fact]
    public void The_last_run_is_gone_on_with_where_it_was_of_the_same_tests()
    {
        using (var first = Begin())
            first.Add(Result(1));
        using (var again = RunJournal.Resume(Folder, [Test(1), Test(2)], _warnings.Add))
        {
            Assert.Equal([1], again.Results.Select(r => r.OutstandingIO));
            again.Add(Result(2));
        }
        Assert.Equal([1, 2], Last());
        var error = Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [Test(8)], _warnings.Add));
        Assert.Equal("IoBench.NothingToResume", error.ErrorId);
        Assert.Equal([1, 2], Last());
    }

    [Fact]
    public void A_refused_resume_lets_the_journal_go()
    {
        using (var first = Begin())
            first.Add(Result(1));
        var longer = Test(1);
        longer.Duration *= 2;
        Assert.Equal(
            "IoBench.ResumeDiffers",
            Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [longer, Test(2)], _warnings.Add)).ErrorId
        );
        using var again = RunJournal.Resume(Folder, [Test(1), Test(2)], _warnings.Add);
        Assert.Single(again.Results);
    }

    [Fact]
    public void A_run_that_goes_on_cannot_be_gone_on_with()
    {
        using var first = Begin();
        first.Add(Result(1));
        Assert.Equal(
            "IoBench.OutputInUse",
            Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [Test(1)], _warnings.Add)).ErrorId
        );
    }

    [Fact]
    public void Earlier_results_of_the_run_are_in_its_journal()
    {
        using (var journal = Begin(Result(1), Result(2)))
            journal.Add(Result(3));
        Assert.Equal([1, 2, 3], Last());
    }

    [Fact]
    public void Without_a_journal_the_error_says_what_to_do()
    {
        Assert.Equal("IoBench.NoJournal", Assert.Throws<IoBenchException>(() => RunJournal.Last(Folder)).ErrorId);
        Assert.Contains(JournalFolder.Variable, Assert.Throws<IoBenchException>(() => RunJournal.Last(null)).Message);
        Assert.Null(RunJournal.Begin(null, _warnings.Add, []));
    }

    [Fact]
    public void A_folder_that_cannot_be_made_costs_the_journal_and_not_the_run()
    {
        File.WriteAllText(Folder, "a file is in the way");
        Assert.Null(RunJournal.Begin(Folder, _warnings.Add, []));
        Assert.StartsWith("no journal of this run is kept: ", Assert.Single(_warnings).ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("off")]
    [InlineData("0")]
    [InlineData(" No ")]
    public void It_can_be_turned_off(string setting) => Assert.Null(JournalFolder.Find(setting));

    [Fact]
    public void It_lies_where_the_user_s_state_does()
    {
        Assert.Equal(Path.GetFullPath("here"), JournalFolder.Find("here"));
        Assert.EndsWith("iobench", JournalFolder.Find(null)!, StringComparison.OrdinalIgnoreCase);
    }

    [LinuxFact]
    [UnsupportedOSPlatform("windows")]
    public void Journal_folder_is_open_to_its_user_only()
    {
        using (Begin()) { }
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(Folder));
    }
}
