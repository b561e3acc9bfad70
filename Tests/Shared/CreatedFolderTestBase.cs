namespace IoBench.Tests;

public abstract class CreatedFolderTestBase : TemporaryFolderTestBase
{
    protected CreatedFolderTestBase() => Directory.CreateDirectory(Folder);
}
