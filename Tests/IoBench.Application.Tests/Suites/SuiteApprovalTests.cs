using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteApprovalTests : IDisposable
{
    private readonly SuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification Test(int writes, params string[] paths) =>
        new()
        {
            Targets = [.. paths.Select(path => new IoTargetSpecification(path))],
            WritePercent = writes,
            FileSize = 1 << 20,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };

    [Fact]
    public void A_new_file_is_told_once_with_what_is_done_to_it()
    {
        var plan = new[] { Test(0, _folder.Path), Test(100, _folder.Path), Test(0, _folder.File("iobench.dat")) };
        plan[1].FileSize = 4 << 20;
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), NoQuestions.Instance);
        Assert.Equal(plan, approval.Tests);
        var target = Assert.Single(approval.Targets);
        Assert.Equal((TargetChange.Make, 4L << 20), (target.Change, target.BytesToMake));
        Assert.Equal(4L << 20, approval.Estimate.BytesToMake);
        var group = approval.Groups[0];
        Assert.Equal([_folder.File("iobench.dat")], group.Paths);
        Assert.Equal("make a test file of 4 MB, run 2 tests, 1 of them writing to it, about 1 second", group.Action);
        Assert.Empty(Directory.GetFiles(_folder.Path));
        approval.LeaveOut(group);
        Assert.Equal([plan[2]], approval.Tests);
    }

    [Fact]
    public void What_is_refused_leaves_out_its_tests_and_is_told_once()
    {
        var foreign = _folder.Foreign("mine.dat");
        var ours = _folder.File("t.dat");
        var plan = new[] { Test(100, foreign), Test(50, foreign), Test(0, foreign), Test(100, ours), Test(100, ours, foreign) };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), NoQuestions.Instance);
        Assert.Equal([plan[2], plan[3]], approval.Tests);
        var refusal = Assert.Single(approval.Refusals);
        Assert.Equal(("IoBench.ForeignFile", foreign), (refusal.Error.ErrorId, refusal.Path));
    }

    [Fact]
    public void A_yes_to_one_file_is_none_to_another()
    {
        var (one, two) = (_folder.Foreign("one.dat"), _folder.Foreign("two.dat"));
        var plan = new[] { Test(100, one), Test(100, two), Test(50, one) };
        var observer = new Observer { Answer = question => question.Path == one ? TargetAnswer.Yes : TargetAnswer.No };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), observer);
        Assert.Equal(
            [(TargetQuestionKind.Overwrite, one), (TargetQuestionKind.Overwrite, two)],
            observer.Questions.Select(q => (q.Kind, q.Path))
        );
        Assert.EndsWith("Its content will be lost. Use it anyway?", observer.Questions[0].Text.ToString(), StringComparison.Ordinal);
        Assert.Equal([plan[0], plan[2]], approval.Tests);
        Assert.True(approval.OptionsFor(plan[0]).Force);
        Assert.False(approval.OptionsFor(plan[1]).Force);
    }

    [Fact]
    public void Where_only_own_files_will_do_nobody_is_asked_and_force_is_no_advice()
    {
        var observer = new Observer { Answer = _ => TargetAnswer.Yes };
        var settings = new SuiteSettings { OwnFilesOnly = true };
        var plan = new[]
        {
            Test(100, _folder.Foreign("theirs.dat")),
            Test(0, _folder.Foreign("read.dat")),
            Test(0, _folder.Foreign("x.mdf")),
        };
        var approval = SuiteApproval.Create(plan, settings, observer);
        Assert.DoesNotContain(observer.Questions, question => question.Kind != TargetQuestionKind.LoadSqlServerVolume);
        Assert.Equal(
            ["IoBench.DrillNeedsOwnFile", "IoBench.DrillNeedsOwnFile", "IoBench.SqlServerFile"],
            approval.Refusals.Select(refusal => refusal.Error.ErrorId)
        );
        Assert.All(approval.Refusals, refusal => Assert.DoesNotContain(Opt.Force.Name, refusal.Error.Options));
    }

    [Fact]
    public void Reading_a_file_of_SQL_Server_is_asked_and_writing_to_it_never_is()
    {
        var file = _folder.Foreign("x.mdf");
        var observer = new Observer
        {
            Answer = question => question.Kind == TargetQuestionKind.ReadSqlServerFile ? TargetAnswer.YesToAll : TargetAnswer.NoToAll,
        };
        var plan = new[] { Test(100, file), Test(0, file), Test(0, _folder.File("x.mdf")) };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), observer);
        // The volume now contains a SQL Server file, which also requires a confirmation.
        Assert.Equal(
            [TargetQuestionKind.ReadSqlServerFile],
            observer.Questions.Select(q => q.Kind).Where(kind => kind != TargetQuestionKind.LoadSqlServerVolume)
        );
        Assert.Equal("IoBench.SqlServerFile", Assert.Single(approval.Refusals).Error.ErrorId);
    }

    [Fact]
    public void With_force_nobody_is_asked()
    {
        var observer = new Observer { Answer = _ => throw new InvalidOperationException("asked") };
        var approval = SuiteApproval.Create([Test(100, _folder.Foreign("one.dat"))], new SuiteSettings { Force = true }, observer);
        Assert.Single(approval.Tests);
        Assert.True(approval.OptionsFor(approval.Tests[0]).Force);
    }

    [Fact]
    public void A_modelled_device_has_no_file()
    {
        var test = Test(100, "/no/such/folder/x");
        test.Backend = NullBackend.Name;
        var target = Assert.Single(SuiteApproval.Create([test], new SuiteSettings(), NoQuestions.Instance).Targets);
        Assert.True(target.IsImagined);
        Assert.False(target.IsFile);
        Assert.Empty(TestFileCare.Kept([target]));
        Assert.Empty(TestFileCare.RemoveOwn([target]));
    }
}
