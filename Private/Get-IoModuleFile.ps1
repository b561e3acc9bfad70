function Get-IoModuleFile {
    <# The files another machine needs to run tests: what a package has, wherever this one was loaded from. Name in the package, then path. #>
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $base = [System.IO.Path]::GetDirectoryName($PSScriptRoot)
    $files = @{}
    foreach ($name in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Format.ps1xml', 'IoBench.Types.ps1xml') {
        $files[$name] = [System.IO.Path]::Combine($base, $name)
    }
    foreach ($folder in 'Public', 'Private') {
        foreach ($file in [System.IO.Directory]::GetFiles([System.IO.Path]::Combine($base, $folder), '*.ps*1')) {
            $files["$folder/$([System.IO.Path]::GetFileName($file))"] = $file
        }
    }
    # A checkout has its assemblies where they were built.
    $lib = [System.IO.Path]::GetDirectoryName([IoBench.Engine.IoSize].Assembly.Location)
    foreach ($file in [System.IO.Directory]::GetFiles($lib, 'IoBench.*.dll')) {
        $files["lib/$([System.IO.Path]::GetFileName($file))"] = $file
    }
    $files
}
