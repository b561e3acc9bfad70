using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteApprovalTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification CreateTest(int writes, params string[] paths) =>
        new()
        {
            Targets = [.. paths.Select(path => new IoTargetSpecification(path))],
            WritePercent = writes,
            FileSize = 1 << 20,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };

    [Fact]
    public void New_file_is_listed_once_with_its_changes()
    {
        var plan = new[] { CreateTest(0, _folder.Path), CreateTest(100, _folder.Path), CreateTest(0, _folder.GetPath("iobench.dat")) };
        plan[1].FileSize = 4 << 20;
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), NoQuestions.Instance);
        Assert.Equal(plan, approval.Tests);
        var target = Assert.Single(approval.Targets);
        Assert.Equal((TargetChange.Make, 4L << 20), (target.Change, target.BytesToMake));
        Assert.Equal(4L << 20, approval.Estimate.BytesToMake);
        var group = approval.Groups[0];
        Assert.Equal([_folder.GetPath("iobench.dat")], group.Paths);
        Assert.Equal("make a test file of 4 MB, run 2 tests, 1 of them writing to it, about 1 second", group.Action);
        Assert.Empty(Directory.GetFiles(_folder.Path));
        approval.ExcludeGroup(group);
        Assert.Equal([plan[2]], approval.Tests);
    }

    [Fact]
    public void Refused_file_excludes_its_tests_and_is_listed_once()
    {
        var foreign = _folder.WriteOtherFile("mine.dat");
        var ours = _folder.GetPath("t.dat");
        var plan = new[]
        {
            CreateTest(100, foreign),
            CreateTest(50, foreign),
            CreateTest(0, foreign),
            CreateTest(100, ours),
            CreateTest(100, ours, foreign),
        };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), NoQuestions.Instance);
        Assert.Equal([plan[2], plan[3]], approval.Tests);
        var refusal = Assert.Single(approval.Refusals);
        Assert.Equal(("IoBench.ForeignFile", foreign), (refusal.Error.ErrorId, refusal.Path));
    }

    [Fact]
    public void Confirmation_applies_to_one_file()
    {
        var (one, two) = (_folder.WriteOtherFile("one.dat"), _folder.WriteOtherFile("two.dat"));
        var plan = new[] { CreateTest(100, one), CreateTest(100, two), CreateTest(50, one) };
        var observer = new RecordingSuiteObserver { Answer = question => question.Path == one ? TargetAnswer.Yes : TargetAnswer.No };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), observer);
        Assert.Equal(
            [(TargetQuestionKind.Overwrite, one), (TargetQuestionKind.Overwrite, two)],
            observer.Questions.Select(q => (q.Kind, q.Path))
        );
        Assert.EndsWith("Its content will be lost. Use it anyway?", observer.Questions[0].Text.ToString(), StringComparison.Ordinal);
        Assert.Equal([plan[0], plan[2]], approval.Tests);
        Assert.True(approval.GetOptions(plan[0]).Force);
        Assert.False(approval.GetOptions(plan[1]).Force);
    }

    [Fact]
    public void OwnFilesOnly_asks_nothing_and_does_not_suggest_force()
    {
        var observer = new RecordingSuiteObserver { Answer = _ => TargetAnswer.Yes };
        var settings = new SuiteSettings { OwnFilesOnly = true };
        var plan = new[]
        {
            CreateTest(100, _folder.WriteOtherFile("theirs.dat")),
            CreateTest(0, _folder.WriteOtherFile("read.dat")),
            CreateTest(0, _folder.WriteOtherFile("x.mdf")),
        };
        var approval = SuiteApproval.Create(plan, settings, observer);
        Assert.DoesNotContain(observer.Questions, question => question.Kind != TargetQuestionKind.LoadSqlServerVolume);
        Assert.Equal(
            ["IoBench.DrillNeedsOwnFile", "IoBench.DrillNeedsOwnFile", "IoBench.SqlServerFile"],
            approval.Refusals.Select(refusal => refusal.Error.ErrorId)
        );
        Assert.All(approval.Refusals, refusal => Assert.DoesNotContain(OptionNames.Force.Name, refusal.Error.Options));
    }

    [Fact]
    public void SQL_Server_file_is_confirmed_for_reads_and_refused_for_writes()
    {
        var file = _folder.WriteOtherFile("x.mdf");
        var observer = new RecordingSuiteObserver
        {
            Answer = question => question.Kind == TargetQuestionKind.ReadSqlServerFile ? TargetAnswer.YesToAll : TargetAnswer.NoToAll,
        };
        var plan = new[] { CreateTest(100, file), CreateTest(0, file), CreateTest(0, _folder.GetPath("x.mdf")) };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), observer);
        // The volume now contains a SQL Server file, which also requires a confirmation.
        Assert.Equal(
            [TargetQuestionKind.ReadSqlServerFile],
            observer.Questions.Select(q => q.Kind).Where(kind => kind != TargetQuestionKind.LoadSqlServerVolume)
        );
        Assert.Equal("IoBench.SqlServerFile", Assert.Single(approval.Refusals).Error.ErrorId);
    }

    [Fact]
    public void Force_asks_nothing()
    {
        var observer = new RecordingSuiteObserver { Answer = _ => throw new InvalidOperationException("asked") };
        var approval = SuiteApproval.Create(
            [CreateTest(100, _folder.WriteOtherFile("one.dat"))],
            new SuiteSettings { Force = true },
            observer
        );
        Assert.Single(approval.Tests);
        Assert.True(approval.GetOptions(approval.Tests[0]).Force);
    }

    [Fact]
    public void Modeled_device_has_no_file()
    {
        var test = CreateTest(100, "/no/such/folder/x");
        test.Backend = NullBackend.Name;
        var target = Assert.Single(SuiteApproval.Create([test], new SuiteSettings(), NoQuestions.Instance).Targets);
        Assert.True(target.IsImagined);
        Assert.False(target.IsFile);
        Assert.Empty(SuiteTestFiles.DescribeKeptFiles([target]));
        Assert.Empty(SuiteTestFiles.RemoveOwnFiles([target]));
    }
}
