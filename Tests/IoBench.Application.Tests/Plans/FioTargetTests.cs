using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>A fio job must not write a file that an IoBench test must not write, however the job names it.</summary>
public sealed class FioTargetTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private SuiteApproval CreateApproval(string call, SuiteSettings? settings = null)
    {
        Func<string, string> context = path => Path.GetFullPath(path, _folder.Path);
        var plan = LegacyToolTests.FromCommandLines([call], context).Tests;
        return SuiteApproval.Create(plan, settings ?? new SuiteSettings(), front: null);
    }

    [Theory]
    [InlineData("--rw=write --filename={0}/mine.dat")]
    [InlineData("--rw=randrw --directory={0} --filename=mine.dat")]
    [InlineData("--rw=randwrite --filename=mine.dat")]
    [InlineData("--rw=write --filename={0}/other.dat:{0}/mine.dat")]
    [InlineData("--rw=randwrite --bssplit=4k/50:8k/50 --filename={0}/mine.dat")]
    [InlineData("--rw=read --filename={0}/other.dat --name=second --rw=write --filename={0}/mine.dat")]
    [InlineData("--rw=write --overwrite=1 --allow_file_create=0 --filename={0}/mine.dat")]
    public void Fio_job_does_not_write_a_file_that_IoBench_did_not_create(string options)
    {
        var mine = _folder.WriteOtherFile("mine.dat");
        var before = File.ReadAllBytes(mine);
        var approval = CreateApproval(
            "fio --size=1m --runtime=1 --time_based --name=job "
                + string.Format(System.Globalization.CultureInfo.InvariantCulture, options, _folder.Path)
        );
        Assert.Equal(
            ("IoBench.ForeignFile", mine),
            Assert.Single(approval.Refusals) is var refusal ? (refusal.Error.ErrorId, refusal.Path) : default
        );
        Assert.Empty(approval.Tests);
        Assert.Equal(before, File.ReadAllBytes(mine));
    }

    [Fact]
    public void Fio_job_does_not_write_an_existing_file_with_its_default_name()
    {
        var mine = _folder.WriteOtherFile("job.1.0");
        var approval = CreateApproval(
            $"fio --name=job --size=1m --runtime=1 --time_based --rw=write --numjobs=2 --directory={_folder.Path}"
        );
        Assert.Equal(
            ("IoBench.ForeignFile", mine),
            Assert.Single(approval.Refusals) is var refusal ? (refusal.Error.ErrorId, refusal.Path) : default
        );
        Assert.Empty(approval.Tests);
    }

    [Theory]
    [InlineData("write")]
    [InlineData("randrw")]
    public void Fio_job_does_not_write_a_database_file_with_any_permission(string rw)
    {
        var file = _folder.WriteOtherFile("sales.mdf");
        var approval = CreateApproval(
            $"fio --name=job --size=1m --runtime=1 --time_based --rw={rw} --filename={file}",
            new SuiteSettings
            {
                Permissions = new TargetPermissions { OverwriteFiles = [file], ReadDatabase = true },
            }
        );
        Assert.Equal("IoBench.SqlServerFile", Assert.Single(approval.Refusals).Error.ErrorId);
        Assert.Empty(approval.Tests);
    }

    [DeviceFact]
    public void Fio_job_does_not_write_a_device_that_is_not_named()
    {
        // The device is only inspected. A test that would write to it is excluded before anything is opened for writing.
        var approval = CreateApproval($"fio --name=job --size=1m --runtime=1 --time_based --rw=write --filename={s_device}");
        Assert.Single(approval.Refusals);
        Assert.Empty(approval.Tests);
    }

    private static readonly string? s_device = new[] { "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/xvda", "/dev/loop0" }.FirstOrDefault(
        File.Exists
    );

    private sealed class DeviceFactAttribute : FactAttribute
    {
        public DeviceFactAttribute() => Skip = s_device is null ? "needs a block device" : null;
    }
}
