namespace IoBench.Engine.Tests;

public class BackendCatalogTests
{
    [Fact]
    public void Every_backend_has_one_descriptor_and_Auto_none()
    {
        Assert.Equal(Enum.GetValues<IoBackendKind>().Where(kind => kind != IoBackendKind.Auto), BackendCatalog.All.Select(backend => backend.Kind).Order());
        Assert.Null(BackendCatalog.Find(IoBackendKind.Auto));
        Assert.Equal(IoBackendKind.Null, Assert.Single(BackendCatalog.All, backend => backend.IsModelled).Kind);
    }

    [Fact]
    public void What_belongs_to_another_system_says_so_and_the_others_make_their_own_kind()
    {
        foreach (var backend in BackendCatalog.All)
        {
            if (!backend.BelongsHere)
                Assert.Contains(" is a part of ", backend.WhyNot(), StringComparison.Ordinal);
            else if (backend.WhyNot() is null)
                Assert.Equal(backend.Kind, backend.Create(null, null).Kind);
        }
        Assert.Null(BackendCatalog.Of(IoBackendKind.Threads).WhyNot());
        Assert.Null(BackendCatalog.Of(IoBackendKind.Null).WhyNot());
    }

    [Theory]
    [InlineData("IoUring", IoBackendKind.IoUring)]
    [InlineData("IoUring (defer_taskrun, registered files)", IoBackendKind.IoUring)]
    [InlineData("overlapped", IoBackendKind.Overlapped)]
    [InlineData("libaio", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void A_results_backend_is_known_by_its_name(string? name, IoBackendKind? kind)
        => Assert.Equal(kind, BackendCatalog.OfResult(new IoTestResult { Backend = name })?.Kind);
}
