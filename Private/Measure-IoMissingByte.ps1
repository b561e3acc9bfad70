function Measure-IoMissingByte {
    <# Bytes of a test file that are still to be written. #>
    [CmdletBinding()]
    [OutputType([long])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.PreparedTarget] $Prepared
    )

    if ($Prepared.IsDevice) {
        return 0L
    }
    $file = [System.IO.FileInfo]::new($Prepared.Path)
    [math]::Max(0L, $Prepared.Size - ($file.Exists ? $file.Length : 0L))
}
